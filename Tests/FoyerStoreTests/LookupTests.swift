import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct LookupTests {
    /// Where an identifier is looked up by its ending.
    enum Kind: CaseIterable, Sendable {
        case flow, person, submission

        func find(
            _ text: String, matching match: IdentifierMatch = .anyEnding, in store: Repositories
        ) async throws -> UUIDv7 {
            switch self {
            case .flow: try await store.flow(named: text, matching: match).id
            case .person: try await store.user(named: text, matching: match).id
            case .submission: try await store.submission(named: text, matching: match).id
            }
        }
    }

    @Test("An identifier is found by itself and by any ending that is its own", arguments: Kind.allCases)
    func endings(kind: Kind) async throws {
        let scene = try await Scene()
        for number in [121, 131] {
            let flow = try await scene.answered(4, flow: scene.newFlow(id: id(number), submission: id(number)))
            _ = try await scene.store.commit(scene.finish(flow, user: id(number)))
        }
        for text in [id(121).text, "000000000121", "121", "21"] {
            #expect(try await kind.find(text, in: scene.store) == id(121))
        }
        for text in ["1", "000131\u{0}", "x" + id(121).text, "", " ", "\t\n", "%21", "_21", "%", "2_", "'; --", "9"] {
            let expected: StoreError.Code = text == "1" ? .ambiguous : .notFound
            #expect(await code { _ = try await kind.find(text, in: scene.store) } == expected, "\(text)")
        }
    }

    @Test(
        "What has to be named whole, or by so much of its end, is found by nothing shorter, even where it is alone",
        arguments: Kind.allCases)
    func shortEndings(kind: Kind) async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(4, flow: scene.newFlow(id: id(121), submission: id(121)))
        _ = try await scene.store.commit(scene.finish(flow, user: id(121)))
        let whole = id(121).text
        for match in [IdentifierMatch.whole, .ending(atLeast: 8)] {
            #expect(try await kind.find(whole, matching: match, in: scene.store) == id(121))
            for count in 0..<whole.count {
                let ending = String(whole.suffix(count))
                let isEnough = match != .whole && count >= 8
                let found = try? await kind.find(ending, matching: match, in: scene.store)
                #expect(found == (isEnough ? id(121) : nil), "\(match) \(ending)")
            }
        }
    }

    @Test("A person is found by user name and e-mail address, whole and in any case; several are listed")
    func people() async throws {
        let scene = try await Scene()
        let ada = User(
            id: id(121), email: "Ada@Example.org", userName: "Ada.L", status: .active, createdAt: scene.clock.now,
            updatedAt: scene.clock.now)
        // Somebody whose user name is the ending of another's identifier, and whose address is another's, too.
        let other = User(
            id: id(131), email: "ada@example.org", userName: "000000000121", status: .pending,
            createdAt: scene.clock.now, updatedAt: scene.clock.now)
        try await scene.store.add([ada])
        for name in ["Ada.L", "ada.l", "ADA@EXAMPLE.ORG", "000000000121"] {
            #expect(try await scene.store.user(named: name, matching: .anyEnding).id == ada.id)
        }
        for name in ["Ada", "da.l", "ada@example", "example.org", ""] {
            #expect(await code { _ = try await scene.store.user(named: name, matching: .anyEnding) } == .notFound)
        }
        try await scene.store.add([other])
        #expect(try await scene.store.user(named: "ada.l", matching: .whole).id == ada.id)
        #expect(try await scene.store.user(named: ada.id.text, matching: .whole).id == ada.id)
        for (name, match) in [("ada@example.org", IdentifierMatch.whole), ("000000000121", .ending(atLeast: 8))] {
            let error = await #expect(throws: StoreError.self) {
                _ = try await scene.store.user(named: name, matching: match)
            }
            #expect(error?.code == .ambiguous)
            #expect(error?.message.contains("\(ada.id), \(other.id)") == true && error?.message.contains("@") == false)
        }
    }

    @Test("The newest open flow is the one that was changed last; what is submitted is not open")
    func newest() async throws {
        let scene = try await Scene()
        #expect(try await scene.store.newestOpenFlow() == nil)
        let first = try await scene.answered(1)
        scene.clock.turn(by: .seconds(1))
        let second = try await scene.answered(4, by: .grace)
        #expect(try await scene.store.newestOpenFlow()?.id == second.id)
        scene.clock.turn(by: .seconds(1))
        _ = try await scene.store.commit(scene.finish(second))
        #expect(try await scene.store.newestOpenFlow()?.id == first.id)
        #expect(try await scene.store.unfinishedFlows().map(\.id) == [second.id, first.id])
        _ = try await scene.store.cancel(first.id, at: scene.clock.now)
        #expect(try await scene.store.newestOpenFlow() == nil)
        #expect(try await scene.store.unfinishedFlows().map(\.id) == [second.id])
    }

    @Test("What is not there is nil")
    func nothing() async throws {
        let scene = try await Scene()
        #expect(try await scene.store.flow(id(1)) == nil)
        #expect(try scene.store.user(id(1)) == nil)
        #expect(try await scene.store.submission(id(1)) == nil)
        #expect(try await scene.store.submissions().isEmpty)
        #expect(try await scene.store.users().isEmpty)
        #expect(try await scene.store.backlog() == Backlog(waiting: 0, nextDueIn: nil, isSending: false))
    }

    @Test("Where there is no database and none may be made, that is said and no file made")
    func noDatabase() async throws {
        let scene = try await Scene()
        let path = scene.folder.appending("other.db")
        let opening = await code {
            _ = try await Repositories.open(
                at: path, keyFile: scene.keyFile, endpoint: .named("server"), createIfMissing: false)
        }
        #expect(opening == .noDatabase)
        #expect(try await scene.files(containing: "").allSatisfy { !$0.contains("other.db") })
    }

    @Test("A closed store says so")
    func closed() async throws {
        let scene = try await Scene()
        try await scene.store.close()
        #expect(await code { _ = try await scene.store.users() } == .closed)
        #expect(await code { _ = try await scene.store.commit(scene.change(scene.newFlow())) } == .closed)
    }

    @Test(
        "A row that was damaged by hand is reported, never a trap",
        arguments: [
            "UPDATE flows SET updated_at = 'yesterday'", "UPDATE flows SET submission_id = 'x'",
            "UPDATE flow_steps SET answered_at = ''",
        ])
    func damaged(update: String) async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(1)
        #expect(try await scene.shell(update).exit == .code(0))
        #expect(await code { _ = try await scene.store.flow(flow.id) } == .damagedRow)
    }
}

@Suite struct ViewTests {
    @Test("registrations_in_progress tells who is half-way, and at which step", arguments: 0...5)
    func progress(answers: Int) async throws {
        // The views read SQLite's own clock, so these scenes start today.
        let scene = try await Scene(startingAt: FoyerEnvironment.system.now())
        let flow =
            answers == 0
            ? try await scene.store.commit(scene.change(scene.newFlow(), step: "email"))
            : try await scene.answered(answers)
        let email = answers == 0 ? "" : "ada@example.org", userName = answers < 2 ? "" : "ada.l"
        let progress = answers == 5 ? "|all answered" : "\(flow.step ?? "")|step \(answers + 1) of 5"
        #expect(
            try await scene.sql("SELECT * FROM registrations_in_progress")
                == "\(flow.id)|\(userName)|\(email)|\(progress)||open|\(flow.updatedAt)|\(flow.expiresAt?.description ?? "")"
        )
    }

    @Test("flows_in_progress shows the newest first, of every kind, and nothing that has ended or is over its time")
    func inProgress() async throws {
        let scene = try await Scene(startingAt: FoyerEnvironment.system.now() + .seconds(-86_400 * 365))
        _ = try await scene.answered(1)
        scene.clock.turn(by: FoyerEnvironment.system.now() - scene.clock.now)
        let first = try await scene.answered(1)
        scene.clock.turn(by: .seconds(1))
        let second = try await scene.answered(2, by: .grace)
        scene.clock.turn(by: .seconds(1))
        let waiting = try await scene.submitted()
        scene.clock.turn(by: .seconds(1))
        let login = try await scene.store.commit(scene.change(scene.newFlow(.login), step: "userName"))
        let cancelled = try await scene.answered(1)
        _ = try await scene.store.cancel(cancelled.id, at: scene.clock.now)
        let registrations = "\(waiting.id)\n\(second.id)\n\(first.id)"
        #expect(try await scene.sql("SELECT flow_id FROM registrations_in_progress") == registrations)
        #expect(try await scene.sql("SELECT flow_id FROM flows_in_progress") == "\(login.id)\n\(registrations)")
    }

    @Test("A refusal is shown in words until the person has answered it")
    func refused() async throws {
        let scene = try await Scene(startingAt: FoyerEnvironment.system.now())
        let refused = "SELECT step, refused FROM flows_in_progress"
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        #expect(try await scene.sql(refused) == "|")
        try await scene.settle(claimed, .takenName)
        #expect(try await scene.sql(refused) == "userName|userName: taken")
        try await scene.sql("UPDATE flows SET refused = 'school: closed_today'")
        #expect(try await scene.sql(refused) == "userName|school: closed today")
        let flow = try #require(try await scene.store.newestOpenFlow())
        _ = try await scene.store.commit(
            scene.change(flow, answers: [("userName", .clear("ada2"))], step: nil))
        #expect(try await scene.sql(refused) == "|")
        #expect(try await scene.sql("SELECT refused IS NULL FROM flows") == "1")
    }

    @Test("The journal tells what happened to a person by name")
    func journal() async throws {
        let scene = try await Scene(startingAt: FoyerEnvironment.system.now())
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        try await scene.settle(claimed, .takenName)
        _ = try await scene.answered(2, by: .grace)
        let words = try await scene.sql("SELECT what, detail FROM journal WHERE user_name = 'ada.l'")
        #expect(words.hasPrefix("flow started|register\nstep answered|email"))
        #expect(words.hasSuffix("submission rejected|userName\nflow reopened|userName"))
        #expect(try await scene.sql("SELECT count(*) FROM journal WHERE email = 'grace@example.org'") == "3")
    }

    @Test("SELECT * prints text alone, in every table and view, also where secrets wait")
    func text() async throws {
        let scene = try await Scene(startingAt: FoyerEnvironment.system.now())
        _ = try await scene.submitted()
        _ = try await scene.answered(4, by: .grace)
        let tables = try await scene.sql("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
        for table in tables.split(separator: "\n") {
            let columns = try await scene.sql("SELECT name FROM pragma_table_info('\(table)')").split(separator: "\n")
            for column in columns {
                let blobs = "SELECT count(*) FROM \(table) WHERE typeof(\"\(column)\") = 'blob'"
                #expect(try await scene.sql(blobs) == "0", "\(table).\(column)")
            }
        }
        #expect(try await scene.sql("SELECT count(*) FROM secrets WHERE box LIKE 'b1%'") == "2")
        #expect(try await scene.sql("SELECT count(*) FROM submissions WHERE signature LIKE 'b1%'") == "1")
    }

    @Test("submissions_waiting says why each one waits, as `why` of a submission does")
    func why() async throws {
        // The view reads SQLite's own clock, so this scene starts today.
        let scene = try await Scene(startingAt: FoyerEnvironment.system.now())
        let worker = try scene.store.makeWorker()
        for person in [Person.ada, .grace, .ada, .grace] { _ = try await scene.submitted(by: person) }
        let claimed = try await scene.claim(worker)
        try await scene.settle(claimed[0], .retry(after: .seconds(3600)))
        try await scene.settle(claimed[1], .parked(reason: "the network answered 400"))
        try await scene.settle(claimed[3], .retry(after: .zero))
        let lane = try #require(try await scene.store.submission(claimed[2].id)).lane
        _ = try await scene.submittedLogin(lane: lane)
        _ = try await scene.submitted()
        _ = try await scene.store.cancel(claimed[0].id)
        _ = try await scene.store.cancel(claimed[2].id)
        let expected: [Regex<Substring>] = [
            #/due now: no answer \(to be taken back\)/#, #/parked: the network answered 400/#,
            #/leased by [0-9a-f-]+ for \d+ s \(to be taken back\)/#, #/due now: no answer/#,
            #/behind [0-9a-f-]{36}/#, #/due now/#,
        ]
        try await check(scene, expected)
    }

    @Test("submissions_waiting says when, and which endpoint cannot be reached")
    func whyNotYet() async throws {
        let scene = try await Scene(startingAt: FoyerEnvironment.system.now())
        let worker = try scene.store.makeWorker()
        for person in [Person.ada, .grace] { _ = try await scene.submitted(by: person) }
        let claimed = try await scene.claim(worker)
        try await scene.settle(claimed[0], .retry(after: .seconds(3600)))
        try await scene.settle(claimed[1], .retry(after: .zero), .offline(for: .seconds(990)))
        try await check(
            scene, [#/due in 3[56]\d\d s: no answer/#, #/endpoint unreachable, next try in [89]\d\d s: offline/#])
    }

    private func check(_ scene: Scene, _ expected: [Regex<Substring>]) async throws {
        let shown = try await scene.sql("SELECT why FROM submissions_waiting").split(separator: "\n").map(String.init)
        #expect(shown.count == expected.count)
        for (why, expected) in zip(shown, expected) {
            #expect(try expected.wholeMatch(in: why) != nil, "\(why)")
        }
        let told = try await scene.store.submissions()
        #expect(told.count == expected.count)
        for (submission, expected) in zip(told, expected) {
            #expect(try expected.wholeMatch(in: submission.why ?? "") != nil)
        }
    }

    @Test("What has its verdict does not wait")
    func settled() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        try await scene.settle(try await scene.sending(worker: worker), .verdict(.accepted(remoteID: nil)))
        try await scene.settle(try await scene.sending(worker: worker), .takenName)
        #expect(try await scene.count("submissions_waiting") == "0")
    }
}
