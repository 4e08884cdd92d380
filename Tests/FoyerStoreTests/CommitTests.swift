import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct CommitTests {
    @Test("The first answer makes the flow, its events and its tree")
    func firstAnswer() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(1)
        #expect(flow.revision == 1)
        #expect(flow.status == .open)
        #expect(flow.step == "userName")
        #expect(flow.answers.map(\.value) == ["ada@example.org"])
        #expect(
            try await scene.sql("SELECT status, step, revision, fingerprint FROM flows")
                == "open|userName|1|email@1 userName@1 password@1 firstName@1 lastName@1")
        #expect(
            try await scene.sql("SELECT what, detail FROM events ORDER BY seq")
                == "flow started|register\nstep answered|email")
        #expect(try await scene.sql("SELECT host = '\(flow.id)', path FROM coordinators") == "1|register")
    }

    @Test("An answer that is given again takes the place of the first, and comes last in the order of answering")
    func answeredAgain() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(2)
        let again = try await scene.store.commit(
            scene.change(flow, answers: [("email", .clear("a@b.co"))], step: "password"))
        #expect(again.answers.map(\.step) == ["userName", "email"])
        #expect(again.answers.last?.value == "a@b.co")
    }

    @Test("What was answered reads the same through another store")
    func reopened() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(4)
        let other = try await scene.another()
        let read = try #require(try await other.flow(flow.id))
        #expect(read.answers == flow.answers)
        #expect(read.revision == 4)
        #expect(read.step == "lastName")
        #expect(read.expiresAt == TestClock.start + .seconds(30 * 86400))
        #expect(read.answers.map(\.kept) == [.clear, .clear, .sealed, .clear])
    }

    @Test("A commit whose last statement fails has written nothing")
    func allOrNothing() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(2)
        let before = try await scene.everything()
        for failing in [
            scene.change(flow, answers: Person.ada.answers[2...2], tree: [Scene.root, Scene.root]),
            scene.change(scene.newFlow(), answers: Person.ada.answers[0...0], tree: [Scene.root, Scene.root]),
        ] {
            #expect(await code { _ = try await scene.store.commit(failing) } == .failed)
        }
        #expect(try await scene.everything() == before)
    }

    @Test("A change of a flow that moved on is refused, and changes nothing", arguments: [0, 1, 3])
    func stale(revision: Int) async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(2)
        let before = try await scene.everything()
        let stale = SavedFlow(
            id: flow.id, kind: .register, path: "register", status: .open, fingerprint: flow.fingerprint, step: nil,
            revision: revision, userID: nil, submissionID: flow.submissionID, createdAt: flow.createdAt,
            updatedAt: flow.updatedAt, expiresAt: nil)
        let change = scene.change(stale, answers: Person.ada.answers[2...2])
        #expect(await code { _ = try await scene.store.commit(change) } == .movedOn)
        #expect(try await scene.everything() == before)
    }

    @Test("A flow that is submitted or cancelled takes no more answers", arguments: [true, false])
    func closed(isSubmitted: Bool) async throws {
        let scene = try await Scene()
        let open = try await scene.answered(4)
        let flow =
            isSubmitted
            ? try await scene.store.commit(scene.finish(open))
            : try await scene.store.cancel(open.id, at: scene.clock.now)
        let before = try await scene.everything()
        for revision in [open, flow] {
            let change = scene.change(revision, answers: Person.ada.answers[0...0])
            #expect(await code { _ = try await scene.store.commit(change) } == .flowClosed)
        }
        #expect(try await scene.everything() == before)
    }

    @Test("A change of a flow that is not there any more says that it was erased")
    func unknown() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(1)
        try await scene.sql("DELETE FROM flows")
        #expect(await code { _ = try await scene.store.commit(scene.change(flow)) } == .flowGone)
    }

    @Test("Of two inputs on the same revision one is written, the other told that the flow moved on")
    func race() async throws {
        let scene = try await Scene()
        let (mine, theirs) = (scene.store, try await scene.another())
        let flow = try await scene.answered(1)
        let codes = await withTaskGroup(of: StoreError.Code?.self) { group in
            for store in [mine, theirs] {
                group.addTask {
                    let change = scene.change(flow, answers: Person.ada.answers[1...1], step: "password")
                    return await code { _ = try await store.commit(change) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.compactMap { $0 } == [.movedOn])
        #expect(try await scene.store.flow(flow.id)?.revision == 2)
    }

    @Test("Giving up closes the flow and forgets its tree and its secrets")
    func givenUp() async throws {
        let scene = try await Scene()
        let flow = try await scene.store.commit(
            scene.change(try await scene.answered(3), outcome: .cancelled))
        #expect(flow.status == .cancelled)
        #expect(try await scene.count("secrets") == "0")
        #expect(try await scene.count("coordinators") == "0")
        #expect(try await scene.store.newestOpenFlow() == nil)
    }
}

@Suite struct FinishTests {
    @Test("The finish makes the person, the submission, the status, the event and the secret's lifetime")
    func finish() async throws {
        let scene = try await Scene()
        let open = try await scene.answered(4)
        scene.clock.turn(by: .seconds(60))
        let flow = try await scene.store.commit(scene.finish(open))
        let now = scene.clock.now
        #expect(flow.status == .submitted)
        let user = try #require(try await scene.store.users().first)
        #expect(user.id == flow.userID)
        #expect(user.status == .pending)
        #expect(user.email == "ada@example.org")
        let submission = try #require(try await scene.store.submission(flow.submissionID))
        #expect(submission.state == .ready(due: now))
        #expect(submission.flowID == flow.id)
        #expect(submission.userID == user.id)
        #expect(submission.expiresAt == now + .seconds(14 * 86400))
        #expect(
            try await scene.sql("SELECT expires_at FROM secrets") == "\((now + .seconds(14 * 86400)).milliseconds)")
        #expect(try await scene.sql("SELECT what FROM events ORDER BY seq DESC LIMIT 1") == "flow submitted")
        #expect(try await scene.sql("SELECT email_key, user_name_key FROM users") == "ada@example.org|ada.l")
    }

    @Test("A sealed answer can be used for a day while the flow is open")
    func secretWhileOpen() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(3)
        #expect(flow.answers.last?.usableUntil == TestClock.start + .seconds(86400))
    }

    @Test("A sign-in's secret and submission live for a quarter of an hour")
    func loginLifetime() async throws {
        let scene = try await Scene()
        _ = try await scene.submittedLogin(lane: "ada.l")
        let end = (TestClock.start + .seconds(900)).milliseconds
        #expect(try await scene.sql("SELECT expires_at FROM secrets") == "\(end)")
        #expect(try await scene.sql("SELECT expires_at FROM submissions") == "\(end)")
    }

    /// What can go wrong at each later statement of the finish.
    enum Flaw: CaseIterable {
        case takenSubmission, takenUser, brokenTree
    }

    @Test("A finish of which a later statement fails has changed nothing", arguments: Flaw.allCases)
    func atomic(flaw: Flaw) async throws {
        let scene = try await Scene()
        let other = try await scene.submitted(by: .grace)
        let flow = try await scene.answered(4)
        let before = try await scene.everything()
        let change =
            switch flaw {
            case .takenSubmission: scene.finish(flow, submission: other.submissionID)
            case .takenUser: scene.finish(flow, user: other.userID)
            case .brokenTree: scene.finish(flow, tree: [Scene.root, Scene.root])
            }
        #expect(await code { _ = try await scene.store.commit(change) } == .failed)
        #expect(try await scene.everything() == before)
        #expect(try await scene.store.commit(scene.finish(flow)).status == .submitted)
    }

    @Test("Finishing twice queues once")
    func twice() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(4)
        let finish = scene.finish(flow)
        _ = try await scene.store.commit(finish)
        #expect(await code { _ = try await scene.store.commit(finish) } == .flowClosed)
        #expect(await code { _ = try await scene.another().commit(finish) } == .flowClosed)
        #expect(try await scene.count("submissions") == "1")
        #expect(try await scene.count("users") == "1")
    }

    @Test("The network alone knows what is taken: two people of one name can wait")
    func sameName() async throws {
        let scene = try await Scene()
        _ = try await scene.submitted()
        _ = try await scene.submitted()
        #expect(try await scene.store.users().map(\.userName) == ["ada.l", "ada.l"])
        #expect(try await scene.store.submissions().map(\.state.name) == [.ready, .ready])
    }
}
