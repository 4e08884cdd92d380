import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct SettleTests {
    @Test("accepted: the person is active, the flow finished, the secret destroyed, the attempt told")
    func accepted() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let claimed = try await scene.sending(worker: worker)
        scene.clock.turn(by: .seconds(1))
        #expect(try await scene.settle(claimed, .verdict(.accepted(remoteID: "r1")), status: 201))
        let user = try #require(try await scene.store.users().first)
        #expect(user.status == .active)
        #expect(user.remoteID == "r1")
        #expect(user.updatedAt == scene.clock.now)
        #expect(try await scene.sql("SELECT status FROM flows") == "finished")
        #expect(try await scene.count("secrets") == "0")
        #expect(try await scene.count("coordinators") == "0")
        #expect(
            try await scene.sql("SELECT state, http_status, settled_at, lease_worker FROM submissions")
                == "accepted|201|\(scene.clock.now)|")
        #expect(
            try await scene.sql("SELECT outcome, http_status, ended_at FROM submission_attempts")
                == "accepted|201|\(scene.clock.now)")
        #expect(
            try await scene.sql(
                "SELECT what FROM events WHERE seq > (SELECT seq FROM events WHERE what = 'flow submitted')")
                == "submission accepted\nflow finished")
        #expect(try await scene.store.backlog() == Backlog(waiting: 0, nextDueIn: nil, isSending: false))
    }

    @Test("A refused sign-in leaves the one behind it in its lane alone")
    func signInAfterWrongOne() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        _ = try await scene.submittedLogin(lane: "ada")
        let right = try await scene.submittedLogin(lane: "ada")
        let wrong = try #require(try await scene.claim(worker).first)
        let refusal = FieldRefusal(step: "password", message: FieldMessage("login.failed"))
        #expect(try await scene.settle(wrong, .verdict(.rejected([refusal])), status: 422))
        #expect(try await scene.claim(worker).map(\.id) == [right.submissionID])
        #expect(try await scene.store.flow(right.id)?.status == .submitted)
    }

    @Test("A taken name reopens its step and keeps the other answers")
    func rejected() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let claimed = try await scene.sending(worker: worker)
        let before = try await scene.store.flow(named: claimed.flowID?.text ?? "", matching: .whole)
        scene.clock.turn(by: .seconds(3600))
        #expect(try await scene.settle(claimed, .takenName, status: 409))
        let flow = try #require(try await scene.store.newestOpenFlow())
        #expect(flow.id == claimed.flowID)
        #expect(flow.step == "userName")
        #expect(flow.revision == before.revision + 1)
        #expect(flow.submissionID != claimed.id)
        #expect(flow.userID == nil)
        #expect(flow.answers.map(\.error) == [nil, "username.taken", nil, nil, nil])
        #expect(flow.answers.map(\.value) == before.answers.map(\.value))
        #expect(flow.answers[2].usableUntil == scene.clock.now + .seconds(86400))
        #expect(try await scene.store.users().isEmpty)
        let submission = try #require(try await scene.store.submission(claimed.id))
        #expect(submission.state.name == .rejected)
        #expect(submission.state.reason == "userName: username.taken")
        #expect(submission.httpStatus == 409)
        #expect(submission.why == nil)
        let reconciled = FlowDefinition.register.reconcile(flow.answers, now: scene.clock.now)
        #expect(reconciled.cursor == "userName")
        let kept = reconciled.fates.filter { $0.value == .kept }.keys.sorted()
        #expect(kept == ["email", "firstName", "lastName", "password"])
    }

    @Test("A corrected flow is a submission with a key of its own, which can be accepted")
    func corrected() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let refused = try await scene.sending(worker: worker)
        try await scene.settle(refused, .takenName, status: 409)
        let open = try #require(try await scene.store.newestOpenFlow())
        let mended = try await scene.store.commit(
            scene.change(open, answers: [("userName", .clear("ada1815"))], step: nil))
        _ = try await scene.store.commit(scene.finish(mended, by: Person(userName: "ada1815")))
        let claimed = try #require(try await scene.claim(worker).first)
        #expect(claimed.id == open.submissionID)
        #expect(
            try await scene.store.secrets(of: claimed)["password"].map(String.init(revealing:)) == Person.ada.password)
        try await scene.settle(claimed, .verdict(.accepted(remoteID: "r1")))
        #expect(try await scene.sql("SELECT state FROM submissions ORDER BY seq") == "rejected\naccepted")
        #expect(try await scene.store.users().map(\.userName) == ["ada1815"])
    }

    @Test("Several refused fields: the flow is at the first, each has its message")
    func severalFields() async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        try await scene.settle(
            claimed,
            .verdict(
                .rejected([
                    FieldRefusal(step: "email", message: FieldMessage("email.taken")),
                    FieldRefusal(step: "password", message: FieldMessage("password.too_common")),
                ])))
        let flow = try #require(try await scene.store.newestOpenFlow())
        #expect(flow.step == "email")
        #expect(flow.answers.map(\.error) == ["email.taken", nil, "password.too_common", nil, nil])
        #expect(flow.answers[2].usableUntil == nil)
    }

    @Test("What waits behind a refused submission in its lane is cancelled, with its flow and its secret")
    func dependents() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        _ = try await scene.submitted(lane: "ada")
        let login = try await scene.submittedLogin(lane: "ada")
        let stranger = try await scene.submittedLogin(lane: "grace")
        let claimed = try #require(try await scene.claim(worker, 1).first)
        try await scene.settle(claimed, .takenName, status: 409)
        let dependent = try #require(try await scene.store.submission(login.submissionID))
        #expect(dependent.state.name == .cancelled)
        #expect(dependent.settledAt == scene.clock.now)
        #expect(try await scene.store.flow(login.id)?.status == .cancelled)
        #expect(try await scene.count("secrets WHERE flow_id = '\(login.id)'") == "0")
        #expect(try await scene.store.submission(stranger.submissionID)?.state.name == .ready)
    }

    @Test(
        "A retry keeps everything for later, and counts a failure only where it is one",
        arguments: [(true, false), (false, false), (false, true)])
    func retry(countsAsFailure: Bool, isUnsent: Bool) async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        let retry = Settlement.retry(after: .seconds(7), countsAsFailure: countsAsFailure, isUnsent: isUnsent)
        #expect(try await scene.settle(claimed, retry, status: 503))
        let due = (scene.clock.now + .seconds(7)).milliseconds
        #expect(
            try await scene.sql("SELECT state, due_at, failures, maybe_sent, last_error, http_status FROM submissions")
                == "ready|\(due)|\(countsAsFailure ? 1 : 0)|\(isUnsent ? 0 : 1)|no answer|503")
        #expect(
            try await scene.sql("SELECT outcome, error FROM submission_attempts")
                == (isUnsent ? "unsent" : "retry") + "|no answer")
        #expect(try await scene.sql("SELECT status FROM flows") == "submitted")
        #expect(try await scene.count("secrets") == "1")
        #expect(try await scene.store.users().map(\.status) == [.pending])
    }

    @Test("What is parked waits for help, says why, and keeps its flow, its person and its secret")
    func parked() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let claimed = try await scene.sending(worker: worker)
        #expect(try await scene.settle(claimed, .parked(reason: "the key file is missing"), status: 400))
        scene.clock.turn(by: .seconds(86400))
        #expect(try await scene.claim(worker).isEmpty)
        let submission = try #require(try await scene.store.submission(claimed.id))
        #expect(submission.state.name == .parked)
        #expect(submission.why == "parked: the key file is missing")
        #expect(try await scene.store.backlog() == Backlog(waiting: 1, nextDueIn: nil, isSending: false))
        #expect(try await scene.count("secrets") == "1")
        #expect(try await scene.sql("SELECT what FROM events ORDER BY seq DESC LIMIT 1") == "submission parked")
    }

    @Test("A plan whose claim was lost is discarded", arguments: [Settlement.retry(), .parked(reason: "no")])
    func latePlan(plan: Settlement) async throws {
        let scene = try await Scene()
        let slow = try scene.store.makeWorker()
        let worker = try scene.store.makeWorker()
        let lost = try await scene.sending(worker: slow)
        scene.clock.turn(by: .seconds(46))
        _ = try #require(try await scene.claim(worker).first)
        let before = try await scene.sql("SELECT * FROM submissions")
        #expect(try await scene.settle(lost, plan) == false)
        #expect(try await scene.sql("SELECT * FROM submissions") == before)
    }

    @Test("A verdict that comes late, from the one who lost the claim, is recorded once")
    func lateFact() async throws {
        let scene = try await Scene()
        let slow = try scene.store.makeWorker()
        let worker = try scene.store.makeWorker()
        let lost = try await scene.sending(worker: slow)
        scene.clock.turn(by: .seconds(46))
        let current = try #require(try await scene.claim(worker).first)
        #expect(try await scene.settle(lost, .verdict(.accepted(remoteID: "r1"))))
        let before = try await scene.sql("SELECT * FROM submissions; SELECT * FROM users; SELECT * FROM events")
        #expect(try await scene.settle(current, .verdict(.accepted(remoteID: "r2"))) == false)
        #expect(try await scene.settle(current, .takenName) == false)
        #expect(try await scene.settle(current, .retry()) == false)
        #expect(
            try await scene.sql("SELECT * FROM submissions; SELECT * FROM users; SELECT * FROM events") == before)
        #expect(try await scene.count("events WHERE what = 'submission accepted'") == "1")
        #expect(try await scene.sql("SELECT outcome FROM submission_attempts") == "accepted\naccepted")
    }

    @Test("A person whom the network has named before is the same person, and the pending one goes")
    func knownPerson() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        try await scene.settle(try await scene.sending(worker: worker), .verdict(.accepted(remoteID: "r1")))
        let again = try await scene.sending(by: .grace, worker: worker)
        #expect(try await scene.settle(again, .verdict(.accepted(remoteID: "r1"))))
        #expect(try await scene.count("users") == "1")
        #expect(try await scene.count("flows WHERE user_id = (SELECT id FROM users)") == "2")
    }

    @Test("A settle of which a later statement fails has changed nothing")
    func atomic() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let claimed = try await scene.sending(worker: worker)
        _ = try await scene.sql(
            """
            CREATE TRIGGER refuse BEFORE UPDATE OF status ON flows WHEN new.status = 'finished'
            BEGIN SELECT RAISE(ABORT, 'not today'); END
            """)
        let before = try await scene.everything()
        #expect(await code { try await scene.settle(claimed, .verdict(.accepted(remoteID: "r1"))) } == .failed)
        #expect(try await scene.everything() == before)
    }

    @Test("A verdict cannot be taken back, not even by hand", arguments: Submission.State.Name.allCases)
    func final(state: Submission.State.Name) async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        try await scene.settle(claimed, .verdict(.accepted(remoteID: nil)))
        let tried = try await scene.shell(
            """
            UPDATE submissions SET state = '\(state.rawValue)',
                lease_worker = CASE '\(state.rawValue)' WHEN 'sending' THEN 'x' END,
                lease_until = CASE '\(state.rawValue)' WHEN 'sending' THEN 1 END,
                settled_at = CASE WHEN '\(state.rawValue)' IN ('ready', 'sending', 'parked') THEN NULL ELSE 'x' END
            """)
        if state != .accepted { #expect(tried.stderr.contains("a verdict is final")) }
        #expect(try await scene.sql("SELECT state FROM submissions") == "accepted")
    }

    @Test(
        "What may have been sent cannot be changed, what was never claimed can",
        arguments: [
            ("id", "'01900000-0000-7000-8000-000000000000'"), ("kind", "'login'"), ("lane", "'x'"), ("body", "'{}'"),
        ])
    func frozen(column: String, value: String) async throws {
        let scene = try await Scene()
        _ = try await scene.submitted()
        let update = "UPDATE submissions SET \(column) = \(value) WHERE claims = "
        #expect(try await scene.shell(update + "0").exit == .code(0))
        _ = try await scene.claim(try scene.store.makeWorker())
        let other = try await scene.shell("UPDATE submissions SET \(column) = upper(\(column)) || 'y' WHERE claims = 1")
        #expect(other.stderr.contains("cannot be changed"))
    }
}
