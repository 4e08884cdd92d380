import FoyerModel
import Glibc
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct SecretTests {
    @Test("The password of a claimed submission opens as it was typed")
    func opens() async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        let secrets = try await scene.another().secrets(of: claimed)
        #expect(secrets.keys.sorted() == ["password"])
        #expect(secrets["password"].map(String.init(revealing:)) == Person.ada.password)
    }

    @Test("A password that is given again opens as the later one")
    func again() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(4)
        let later = try await scene.store.commit(
            scene.change(flow, answers: [("password", .secret(Secret("another set of words")))], step: "lastName"))
        _ = try await scene.store.commit(scene.finish(later))
        let claimed = try #require(try await scene.claim(try scene.store.makeWorker()).first)
        #expect(
            try await scene.store.secrets(of: claimed)["password"].map(String.init(revealing:))
                == "another set of words")
        #expect(try await scene.sql("SELECT count(*), max(version) FROM secrets") == "1|2")
    }

    @Test("An answer that is no secret any more leaves no box behind")
    func becomesClear() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(3)
        #expect(try await scene.count("secrets") == "1")
        _ = try await scene.store.commit(scene.change(flow, answers: [("password", .clear("shown"))], step: "lastName"))
        #expect(try await scene.count("secrets") == "0")
    }

    @Test("A secret that was not kept while its flow was open is sealed with the finish, and delivered")
    func volatileSecret() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let flow = try await scene.answered(2)
        let new = NewSubmission(id: flow.submissionID, kind: .register, lane: "lane", body: "{}")
        let finish = FlowChange.Finish(
            user: nil, submission: new, secrets: ["password": Secret(Person.ada.password)])
        _ = try await scene.store.commit(scene.change(flow, outcome: .submitted(finish)))
        let claimed = try #require(try await scene.claim(worker).first)
        #expect(
            try await scene.store.secrets(of: claimed)["password"].map(String.init(revealing:)) == Person.ada.password)
        try await scene.settle(claimed, .verdict(.accepted(remoteID: "r1")))
        #expect(try await scene.count("secrets") == "0")
    }

    @Test("A relative path means the folder at the time of opening, whatever the program's folder is later")
    func relativePaths() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            guard mkdir("\(folder)/elsewhere", 0o700) == 0, chdir(folder) == 0 else { throw Failure("no folder") }
            let store = try await Repositories.open(at: "a.db", keyFile: "keys/key", endpoint: .named("server"))
            guard chdir("elsewhere") == 0 else { throw Failure("no other folder") }
            let lease = try store.makeWorker()
            let whole = try await Repositories.open(
                at: "\(folder)/a.db", keyFile: "\(folder)/keys/key", endpoint: .named("server"))
            guard !whole.workers.isDead(lease.worker.text) else { throw Failure("a living worker looks dead") }
            try await sealOne(in: "../a.db", "../keys/key")
        }
    }

    /// How the story of a submission goes on, and whether its secret is still there then.
    enum Ending: CaseIterable {
        case accepted, passwordRefused, nameRefused, retried, parked, cancelled

        var keepsSecret: Bool { self == .nameRefused || self == .retried || self == .parked }
    }

    @Test("A secret is gone as soon as nothing needs it, and not before", arguments: Ending.allCases)
    func ending(ending: Ending) async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        if ending == .cancelled {
            let flow = try await scene.submitted()
            _ = try await scene.store.cancel(flow.id, at: scene.clock.now)
        } else {
            let claimed = try await scene.sending(worker: worker)
            let settlement: Settlement =
                switch ending {
                case .accepted: .verdict(.accepted(remoteID: "r1"))
                case .passwordRefused:
                    .verdict(.rejected([FieldRefusal(step: "password", message: FieldMessage("password.too_common"))]))
                case .nameRefused: .takenName
                case .retried: .retry()
                case .parked, .cancelled: .parked(reason: "no")
                }
            try await scene.settle(claimed, settlement)
        }
        #expect(try await scene.count("secrets") == (ending.keepsSecret ? "1" : "0"))
    }

    @Test("The password is in no file, at no moment")
    func nowhere() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let password = Person.ada.password
        func check(_ moment: String) async throws {
            // A text that is there shows that the search works.
            #expect(try await !scene.files(containing: "ada@example.org").isEmpty)
            #expect(try await scene.files(containing: password).isEmpty, "\(moment)")
        }
        let open = try await scene.answered(4)
        try await check("answered")
        _ = try await scene.store.commit(scene.finish(open))
        try await check("submitted")
        let claimed = try #require(try await scene.claim(worker).first)
        _ = try await scene.store.secrets(of: claimed)
        try await check("sent")
        try await scene.settle(claimed, .takenName)
        try await check("refused")
        let reopened = try #require(try await scene.store.newestOpenFlow())
        _ = try await scene.store.commit(scene.finish(reopened))
        try await scene.settle(try #require(try await scene.claim(worker).first), .verdict(.accepted(remoteID: nil)))
        try await check("accepted")
        try await scene.store.close()
        try await check("closed")
    }

    @Test("A secret that its step does not keep is destroyed when the network refuses another field")
    func volatileRefused() async throws {
        let scene = try await Scene()
        let flow = scene.newFlow(.login)
        let new = NewSubmission(id: flow.submissionID, kind: .login, lane: "ada", body: "{}")
        let finish = FlowChange.Finish(user: nil, submission: new, secrets: ["password": Secret("four words")])
        var change = scene.change(flow, answers: [("userName", .clear("ada"))], outcome: .submitted(finish))
        change.answers.append(FlowChange.Answer(step: "password", version: 1, content: nil))
        _ = try await scene.store.commit(change)
        #expect(try await scene.count("secrets") == "1")
        let claimed = try #require(try await scene.claim(try scene.store.makeWorker()).first)
        #expect(try await scene.settle(claimed, .takenName))
        #expect(try await scene.count("secrets") == "0")
    }

    @Test(
        "A box that is put elsewhere in the database is found out",
        arguments: [
            "UPDATE secrets SET version = version + 1",
            "UPDATE secrets SET box = (SELECT box FROM secrets ORDER BY flow_id DESC LIMIT 1)",
            "UPDATE secrets SET box = (SELECT key_check FROM store)", "UPDATE secrets SET box = ''",
            "UPDATE secrets SET step = 'userName'",
        ])
    func moved(update: String) async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        scene.clock.turn(by: .seconds(1))
        _ = try await scene.answered(3, by: .grace)
        #expect(try await scene.shell(update).exit == .code(0))
        #expect(await code { _ = try await scene.store.secrets(of: claimed) } == .tampered)
    }

    /// What may have become of the key file of a store that has secrets.
    enum Loss: CaseIterable {
        case missing, another, readable, cut

        var code: StoreError.Code {
            switch self {
            case .missing: .keyMissing
            case .another: .wrongKey
            case .readable, .cut: .unsafeKeyFile
            }
        }
    }

    @Test(
        "Without its key a store opens and seals no secret, makes no other key, and goes on with it",
        arguments: Loss.allCases)
    func lost(loss: Loss) async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        try await scene.store.close()
        let (kept, path) = (scene.folder.appending("kept"), scene.keyFile)
        try #require(rename(path, kept) == 0)
        switch loss {
        case .missing: break
        case .another: try KeyFile(path: path).create()
        case .readable, .cut:
            let copy = try await Program("cp", [kept, path]).run()
            #expect(copy.exit == .code(0))
            if loss == .readable { chmod(path, 0o644) } else { truncate(path, 31) }
        }
        let store = try await scene.another()
        #expect(await code { _ = try await store.secrets(of: claimed) } == loss.code)
        let change = scene.change(scene.newFlow(), answers: Person.grace.answers[2...2])
        #expect(await code { _ = try await store.commit(change) } == loss.code)
        if loss == .missing { #expect(access(path, F_OK) != 0) }
        #expect(
            try await store.commit(scene.change(scene.newFlow(), answers: Person.grace.answers[0...0])).revision == 1)

        try #require(rename(kept, path) == 0)
        #expect(
            try await scene.another().secrets(of: claimed)["password"].map(String.init(revealing:))
                == Person.ada.password)
    }

    @Test("Several stores share one key file, and none opens another's boxes")
    func shared() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let claimed = try await scene.sending(worker: worker)
        let second = try await Repositories.open(
            at: scene.folder.appending("b.db"), keyFile: scene.keyFile, endpoint: .named("server"),
            environment: scene.clock.environment)
        _ = try await second.commit(scene.change(scene.newFlow(), answers: Person.grace.answers[2...2]))
        let (one, two) = try await (
            scene.sql("SELECT id, key_id FROM store"),
            Program("sqlite3", [scene.folder.appending("b.db"), "SELECT id, key_id FROM store"]).run().stdout
        )
        #expect(one.split(separator: "|")[0] != two.split(separator: "|")[0])
        #expect(one.split(separator: "|")[1] == two.split(separator: "|")[1].dropLast())
        let moved = try await scene.shell(
            "ATTACH '\(scene.folder.appending("b.db"))' AS b; UPDATE main.secrets SET box = (SELECT box FROM b.secrets)"
        )
        #expect(moved.exit == .code(0))
        #expect(await code { _ = try await scene.store.secrets(of: claimed) } == .tampered)
    }

    @Test("Stores that make their key at the same moment end with the same one, in one process")
    func tasks() async throws {
        let folder = try TemporaryFolder()
        for round in 0..<5 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    let path = folder.appending("\(round)-\(number).db")
                    let key = folder.appending("keys-\(round)/key")
                    group.addTask { try await sealOne(in: path, key) }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("Stores that make their key at the same moment end with the same one, in many processes")
    func processes() async throws {
        let folder = try TemporaryFolder()
        let key = folder.appending("keys/key")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                let path = folder.appending("\(number).db")
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, key = key as String] in
                        try await sealOne(in: path, key)
                    }
                }
            }
        }
        var names: Set<String> = []
        for number in 0..<4 {
            let told = try await Program("sqlite3", [folder.appending("\(number).db"), "SELECT key_id FROM store"])
                .run()
            names.insert(told.stdout)
            try await sealOne(in: folder.appending("\(number).db"), key)
        }
        #expect(names.count == 1)
    }
}

/// Seals a password in a store and opens it again.
private func sealOne(in path: String, _ key: String) async throws {
    let store = try await Repositories.open(at: path, keyFile: key, endpoint: .named("server"))
    let now = FoyerEnvironment.system.now()
    let makeID = FoyerEnvironment.system.makeID
    let flow = SavedFlow(
        id: makeID(), kind: .register, path: "register", status: .open, fingerprint: "", step: nil, revision: 0,
        userID: nil, submissionID: makeID(), createdAt: now, updatedAt: now, expiresAt: nil)
    let answer = FlowChange.Answer(step: "password", version: 1, content: .secret(Secret("four unrelated words")))
    let new = NewSubmission(id: flow.submissionID, kind: .register, lane: "lane", body: "{}")
    _ = try await store.commit(
        FlowChange(
            flow: flow, fingerprint: "password@1", answers: [answer], step: nil,
            outcome: .submitted(.init(user: nil, submission: new)), at: now))
    let claimed = ClaimedSubmission(
        id: flow.submissionID, fence: 1, kind: .register, flowID: flow.id, body: "{}", failures: 0,
        worker: WorkerID("w"),
        endpoint: "server")
    guard try await store.secrets(of: claimed)["password"].map(String.init(revealing:)) == "four unrelated words" else {
        throw Failure("the password was lost")
    }
}
