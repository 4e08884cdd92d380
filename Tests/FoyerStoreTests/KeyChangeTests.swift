import FoyerModel
import Foundation
import Glibc
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct KeyChangeTests {
    private func text(_ submission: ClaimedSubmission, in store: Repositories) async throws -> String? {
        try await store.secrets(of: submission)["password"].map(String.init(revealing:))
    }

    private func keyName(_ scene: Scene) throws -> String? { try KeyFile(path: scene.keyFile).load()?.name }

    private func keyFiles(_ scene: Scene) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scene.folder.appending("keys")).sorted()
    }

    @Test("After a change of the key every secret opens under the new one alone, also in a store that was open before")
    func rotate() async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        let flow = try await scene.answered(4, by: .grace)
        let other = try await scene.another()
        #expect(try await text(claimed, in: other) == Person.ada.password)
        let old = try #require(try KeyFile(path: scene.keyFile).load())
        #expect(try await scene.store.rotateKey() == 2)

        #expect(try keyName(scene) != old.name)
        #expect(try keyFiles(scene) == ["key"])
        #expect(try await scene.sql("SELECT count(*) FROM secrets JOIN store USING (key_id)") == "2")
        for store in [scene.store, other, try await scene.another()] {
            #expect(try await text(claimed, in: store) == Person.ada.password)
            #expect(try await store.flow(flow.id)?.answers[2].usableUntil != nil)
        }
        let boxes = try await scene.store.read { db in try Secrets.all(of: flow.id, in: db) }
        let store = try await scene.sql("SELECT id FROM store")
        let box = try #require(boxes.first)
        let place = SealedBox.Place(
            store: store, table: "secrets", column: "box", row: box.place, version: box.version)
        #expect(await code { _ = try SealedBox.open(box.box, with: old, at: place) } == .wrongKey)
        _ = try await other.commit(scene.finish(flow, by: .grace))
        #expect(try await scene.store.rotateKey() == 2, "and once more")
        #expect(try await text(claimed, in: other) == Person.ada.password)
    }

    @Test("A change of the key mends nothing that was tampered with, and brings back nothing that is past its time")
    func rotateOthers() async throws {
        let scene = try await Scene()
        let old = try await scene.answered(4)
        scene.clock.turn(by: .seconds(86400))
        let flow = try await scene.submitted(), edited = try await scene.submitted(by: .grace)
        let broken = try await scene.answered(4, by: .grace)
        try await scene.sql("UPDATE submissions SET body = '{}' WHERE id = '\(edited.submissionID)'")
        try await scene.sql("UPDATE secrets SET box = 'b1AA==' WHERE flow_id = '\(broken.id)'")
        #expect(try await scene.store.rotateKey() == 2)
        let claimed = try await scene.claim(try scene.store.makeWorker())
        for submission in claimed where submission.flowID == flow.id {
            #expect(try await text(submission, in: scene.store) == Person.ada.password)
        }
        for submission in claimed where submission.flowID == edited.id {
            #expect(await code { _ = try await scene.store.secrets(of: submission) } == .tampered)
        }
        #expect(claimed.count == 2)
        #expect(try await scene.store.flow(broken.id)?.answers[2].usableUntil == nil)
        #expect(
            try await scene.sql("SELECT count(*) FROM secrets JOIN store USING (key_id) WHERE flow_id = '\(old.id)'")
                == "0")
    }

    @Test("A store in which nothing was sealed has no key to change or to give up")
    func nothing() async throws {
        let scene = try await Scene()
        #expect(await code { _ = try await scene.store.rotateKey() } == .notFound)
        #expect(await code { _ = try await scene.store.keyLoss() } == .notFound)
        #expect(await code { _ = try await scene.store.resetKey() } == .notFound)
        #expect(access(scene.keyFile, F_OK) != 0)
    }

    @Test("A key that is there is not given up, nor is one that lies badly; neither is changed without it")
    func notLost() async throws {
        let scene = try await Scene()
        _ = try await scene.submitted()
        #expect(await code { _ = try await scene.store.resetKey() } == .notFound)
        chmod(scene.keyFile, 0o644)
        let store = try await scene.another()
        #expect(await code { _ = try await store.resetKey() } == .unsafeKeyFile)
        #expect(await code { _ = try await store.rotateKey() } == .unsafeKeyFile)
        try #require(unlink(scene.keyFile) == 0)
        #expect(await code { _ = try await scene.another().rotateKey() } == .keyMissing)
        #expect(try keyFiles(scene) == [])
    }

    @Test("A lost key is given up: only what was sealed under it is asked again", arguments: [true, false])
    func reset(isAnother: Bool) async throws {
        let scene = try await Scene()
        let open = try await scene.answered(4)
        let waiting = try await scene.submitted(by: .grace)
        try #require(rename(scene.keyFile, scene.folder.appending("lost")) == 0)
        if isAnother { try KeyFile(path: scene.keyFile).create() }
        let present = try keyName(scene)
        let store = try await scene.another()
        let loss = KeyLoss(flows: 1, submissions: 1)
        #expect(try await store.keyLoss() == loss)
        let before = try await scene.sql("SELECT key_id FROM store")
        #expect(try await store.resetKey() == loss)
        if isAnother { #expect(try keyName(scene) == present) }
        #expect(try await scene.sql("SELECT key_id FROM store") != before)
        #expect(try await scene.count("secrets") == "2", "nothing is deleted")

        #expect(try await store.flow(open.id)?.answers.map { $0.usableUntil != nil } == [false, false, false, false])
        #expect(try await store.flow(open.id)?.answers.map(\.value) == ["ada@example.org", "ada.l", nil, "Ada"])
        let claimed = try #require(
            try await store.claim(1, by: store.makeWorker().worker, for: "server", isIdle: true).first)
        #expect(claimed.id == waiting.submissionID)
        #expect(await code { _ = try await store.secrets(of: claimed) } == .secretGone)
        let again = scene.change(
            try #require(try await store.flow(open.id)), answers: Person.ada.answers[2...2], step: "lastName")
        #expect(try await store.commit(again).answers.contains { $0.usableUntil != nil })
        #expect(await code { _ = try await store.resetKey() } == .notFound)
    }
}
