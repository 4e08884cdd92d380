import Dispatch
import FoyerModel
import FoyerSQLite
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite(.timeLimit(.minutes(2))) struct ErasureTests {
    /// Everything that tells who Ada is, as the files would hold it.
    private static let ada = ["ada@example.org", "ADA@example.org", "ada.l", "Ada", "Lovelace"]

    private static func user(in scene: Scene) async throws -> UUIDv7 {
        try #require(try await scene.store.users().first { $0.email == Person.ada.email }).id
    }

    /// Ada, accepted by the network; and Grace, who waits.
    private static func scene() async throws -> (Scene, UUIDv7) {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        try await scene.settle(try await scene.sending(worker: worker), .verdict(.accepted(remoteID: "remote-ada")))
        _ = try await scene.submitted(by: .grace)
        return (scene, try await user(in: scene))
    }

    @Test("A person goes with all that is theirs, no byte of it is left, and others keep theirs")
    func wholly() async throws {
        let (scene, id) = try await Self.scene()
        // An earlier try that was left open, in other letters; a forgotten password; a sign-in that was refused.
        let open = try await scene.answered(2, by: Person(email: "ADA@example.org", userName: "ada.l"))
        let forgot = scene.newFlow(.reset)
        _ = try await scene.store.commit(scene.change(forgot, answers: [("email", .clear("ada@example.org"))]))
        let login = scene.newFlow(.login)
        _ = try await scene.store.commit(
            scene.change(
                login, answers: [("userName", .clear("Ada.L")), ("password", .secret(Secret("four unrelated words")))]))
        try await scene.store.save(
            [
                Scene.root,
                CoordinatorNode(
                    path: "register/setup", slot: "setup", position: 0, config: #"{"flow":"\#(open.id.text)"}"#,
                    state: "{}"),
                CoordinatorNode(path: "register/setup/help", slot: "help", position: 0, config: "{}", state: "{}"),
            ], of: "app")
        let ids = try await scene.sql(
            "SELECT id || ' ' || submission_id FROM flows WHERE id NOT IN (SELECT flow_id FROM submissions WHERE state = 'ready')"
        )

        let erasure = try await scene.store.erase(id)
        #expect(erasure.flows == 4 && erasure.submissions == 1 && erasure.secrets == 1)
        let proof = try #require(erasure.proof)
        #expect(erasure.remnants == nil && proof.hits == 0 && proof.stillUsed == [])
        #expect(proof.files.map { String($0.path.dropFirst(scene.database.count)) } == ["", "-wal", "-shm"])
        #expect(proof.values >= 12 && proof.files[0].bytes > 4096)
        for text in Self.ada + [id.text, "remote-ada"] + ids.split(whereSeparator: \.isWhitespace).map(String.init) {
            #expect(try await scene.files(containing: text) == [], "\(text)")
        }
        #expect(try await scene.sql("SELECT host, path FROM coordinators WHERE host = 'app'") == "app|register")
        #expect(try await scene.sql("SELECT user_name FROM users") == "grace")
        #expect(try await scene.sql("SELECT count(*), count(value) FROM flow_steps") == "5|4")
        #expect(try await scene.sql("SELECT count(*) FROM secrets") == "1")
        #expect(try await scene.sql("SELECT state FROM submissions") == "ready")
        #expect(
            try await scene.sql("SELECT user_id FROM events WHERE what = 'person erased'") == erasure.subject.text)
        #expect(try await scene.sql("SELECT count(*) FROM events WHERE what = 'submission accepted'") == "1")
        #expect(try await scene.count("scrubs") == "0")
        #expect(try await scene.sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
        #expect(await code { _ = try await scene.store.erase(id) } == .notFound)
        // What Grace waits for is still sent.
        let worker = try scene.store.makeWorker()
        #expect(
            try await scene.settle(
                try #require(try await scene.claim(worker).first), .verdict(.accepted(remoteID: nil))))
    }

    @Test("What others have, too, is no remnant, and is named by its column")
    func shared() async throws {
        let (scene, id) = try await Self.scene()
        // A namesake at the same address; and somebody else's open registration under the same user name.
        _ = try await scene.submitted(by: Person(userName: "ada.k", last: "King"))
        let other = try await scene.answered(2, by: Person(email: "bob@example.org", userName: "ada.l"))
        // Whose forgotten password this is, the address does not tell.
        let forgot = scene.newFlow(.reset)
        _ = try await scene.store.commit(scene.change(forgot, answers: [("email", .clear("ada@example.org"))]))
        let erasure = try await scene.store.erase(id)
        let proof = try #require(erasure.proof)
        #expect(proof.hits == 0 && erasure.remnants == nil && erasure.flows == 1)
        #expect(proof.stillUsed == ["email", "first_name", "user_name"])
        #expect(try await scene.files(containing: "Lovelace") == [])
        #expect(try await scene.store.flow(other.id)?.answers.count == 2)
        #expect(try await scene.store.flow(forgot.id)?.answers.count == 1)
        #expect(try await scene.store.users().count == 2)
    }

    @Test("What another program left in free room makes the file be written anew")
    func leftBehind() async throws {
        let (scene, id) = try await Self.scene()
        try await scene.sql(
            """
            PRAGMA secure_delete = OFF;
            INSERT INTO events (at, what, detail, counted_from) SELECT 'now', 'x', last_name, 0 FROM users, migrations;
            DELETE FROM events WHERE what = 'x';
            PRAGMA wal_checkpoint(TRUNCATE)
            """)
        let before = try await scene.store.database.scan(for: [Array("Lovelace".utf8)]).hits[0]
        let erasure = try await scene.store.erase(id)
        #expect(before > 3)
        #expect(erasure.proof?.hits == 0 && erasure.remnants == nil)
        #expect(try await scene.files(containing: "Lovelace") == [])
    }

    @Test("Nothing is erased while the network may be acting; what was never sent is taken back")
    func inFlight() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let claimed = try await scene.sending(worker: worker)
        let id = try await Self.user(in: scene)
        let before = try await scene.everything()
        #expect(await code { _ = try await scene.store.erase(id) } == .inFlight)
        #expect(try await scene.everything() == before)
        try await scene.settle(claimed, .retry(after: .seconds(60)))
        #expect(await code { _ = try await scene.store.erase(id) } == .inFlight)
        scene.clock.turn(by: .seconds(61))
        let again = try #require(try await scene.claim(worker).first)
        try await scene.settle(again, .parked(reason: "no"), status: 400)
        #expect(await code { _ = try await scene.store.erase(id) } == .inFlight)

        _ = try await scene.submitted(by: .grace)
        let grace = try #require(try await scene.store.users().first { $0.userName == "grace" }).id
        let erasure = try await scene.store.erase(grace)
        #expect(erasure.flows == 1 && erasure.submissions == 1 && erasure.secrets == 1 && erasure.proof?.hits == 0)
        #expect(try await scene.files(containing: "grace@example.org") == [])
    }

    @Test("A reader in the way leaves remnants, says so, and the next opening of the store takes them away")
    func reader() async throws {
        let (scene, id) = try await Self.scene()
        let other = try await scene.another()
        let end = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            try await other.database.read { db in
                _ = try db.first("SELECT count(*) FROM users") { try $0.integer(0) }
                begin.finish()
                end.wait()
            }
        }
        for await _ in begun {}
        let erasure = try await scene.store.erase(id)
        #expect(erasure.remnants?.contains("Another program") == true && erasure.proof == nil)
        #expect(try await scene.files(containing: "Lovelace") != [])
        #expect(try scene.store.user(id) == nil)
        #expect(try await scene.count("scrubs") == "1")
        try await scene.another().close()
        #expect(try await scene.count("scrubs") == "1", "still in the way")
        end.signal()
        try await reading.value
        let after = try await scene.another()
        #expect(try await scene.count("scrubs") == "0")
        #expect(try await scene.files(containing: "Lovelace") == [])
        try await after.close()
    }

    @Test("A damaged value does not keep its person from being erased")
    func damaged() async throws {
        let (scene, id) = try await Self.scene()
        try await scene.sql("UPDATE users SET first_name = CAST(x'4164fffe61' AS TEXT) WHERE user_name = 'ada.l'")
        let erasure = try await scene.store.erase(id)
        #expect(erasure.proof?.hits == 0 && erasure.remnants == nil)
        #expect(try await scene.count("users") == "1")
    }
}
