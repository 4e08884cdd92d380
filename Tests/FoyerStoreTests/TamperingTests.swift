import FoyerModel
import FoyerSQLite
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

/// Somebody else has written into the database: what is not what we wrote is not used, and the rest is.
@Suite struct TamperingTests {
    /// Two registrations that wait, of Ada and of Grace, and their claims.
    private func two() async throws -> (Scene, ada: ClaimedSubmission, grace: ClaimedSubmission) {
        let scene = try await Scene()
        let ada = try await scene.submitted(), grace = try await scene.submitted(by: .grace)
        let claimed = try await scene.claim(try scene.store.makeWorker(), begins: false)
        let first = try #require(claimed.first { $0.id == ada.submissionID })
        return (scene, first, try #require(claimed.first { $0.id == grace.submissionID }))
    }

    private func opens(_ submission: ClaimedSubmission, in store: Repositories) async throws -> Bool {
        try await store.secrets(of: submission)["password"].map(String.init(revealing:)) == Person.ada.password
    }

    @Test("One bit flipped in any byte of a box is found out; the other box opens")
    func flippedBits() async throws {
        let (scene, ada, grace) = try await two()
        let flow = try #require(ada.flowID)
        let box = try #require(try await scene.store.read { db in try Secrets.all(of: flow, in: db) }.first).box
        for position in box.indices {
            var changed = box
            changed[position] ^= 1 << (position % 8)
            let bytes = changed
            _ = try await scene.store.write { db in
                try db.run("UPDATE secrets SET box = ? WHERE flow_id = ?", BoxText(bytes), flow.text)
            }
            #expect(await code { _ = try await scene.store.secrets(of: ada) } == .tampered, "byte \(position)")
        }
        #expect(try await opens(grace, in: scene.store))
    }

    @Test(
        "A submission that was edited is not sent with its password; the other one is",
        arguments: [
            "body = replace(body, 'ada@example.org', 'eve@example.org')", "body = ''", "kind = 'login'",
            "lane = 'else'",
            "signature = NULL", "signature = ''", "created_at = '2026-01-01T00:00:00.000Z'",
            "flow_id = (SELECT flow_id FROM submissions ORDER BY seq DESC LIMIT 1)",
            "signature = (SELECT signature FROM submissions ORDER BY seq DESC LIMIT 1)",
        ])
    func editedSubmission(change: String) async throws {
        let scene = try await Scene()
        let flow = try await scene.submitted()
        _ = try await scene.submitted(by: .grace)
        try await scene.sql("UPDATE submissions SET \(change) WHERE id = '\(flow.submissionID)'")
        let claimed = try await scene.claim(try scene.store.makeWorker(), begins: false)
        #expect(claimed.count == 2)
        for submission in claimed {
            if submission.id == flow.submissionID {
                #expect(await code { _ = try await scene.store.secrets(of: submission) } == .tampered)
            } else {
                #expect(try await opens(submission, in: scene.store))
            }
        }
    }

    @Test(
        "A box of an open flow that is not the one written there has its step asked again, and nothing else",
        arguments: [
            "UPDATE secrets SET box = 'b1AA=='", "UPDATE secrets SET box = 'words'",
            "UPDATE secrets SET box = CAST(x'6231ff' AS TEXT)",
            "UPDATE secrets SET version = version + 1",
            "UPDATE secrets SET step = 'userName'", "UPDATE secrets SET key_id = '0000000000000000'",
            "UPDATE secrets SET box = (SELECT key_check FROM store)", "UPDATE store SET key_check = ''",
        ])
    func openFlow(update: String) async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(4)
        #expect(try await reconciled(flow.id, in: scene).cursor == "lastName")
        try await scene.sql(update)
        let reconciliation = try await reconciled(flow.id, in: scene)
        #expect(reconciliation.cursor == "password")
        #expect(reconciliation.fates["password"] == .askedAgain(.secretGone))
        #expect(["email", "userName", "firstName"].allSatisfy { reconciliation.fates[$0] == .kept })
        #expect(try await scene.count("secrets") == "1", "nothing is deleted")
    }

    private func reconciled(_ id: UUIDv7, in scene: Scene) async throws -> Reconciliation {
        let flow = try #require(try await scene.store.flow(id))
        return FlowDefinition.register.reconcile(flow.answers, now: scene.clock.now)
    }

    @Test("A secret is not opened when its time is over, and not before")
    func lifetime() async throws {
        let (scene, ada, _) = try await two()
        scene.clock.turn(by: .seconds(14 * 86400) - .milliseconds(1))
        #expect(try await opens(ada, in: scene.store))
        scene.clock.turn(by: .milliseconds(1))
        #expect(await code { _ = try await scene.store.secrets(of: ada) } == .secretGone)
    }

    @Test("What was past its time when the flow was finished is not brought back to life")
    func late() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(4)
        scene.clock.turn(by: .seconds(86400))
        _ = try await scene.store.commit(scene.finish(flow))
        #expect(try await scene.count("secrets") == "0")
        let claimed = try #require(try await scene.claim(try scene.store.makeWorker()).first)
        #expect(await code { _ = try await scene.store.secrets(of: claimed) } == .secretGone)
    }
}
