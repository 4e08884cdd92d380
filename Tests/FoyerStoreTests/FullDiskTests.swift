import FoyerModel
import FoyerSQLite
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct FullDiskTests {
    @Test("a full file takes nothing new, but what became of a sending is written, and nothing is lost")
    func full() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        for _ in 0..<3 { _ = try await scene.submitted() }
        let claimed = try await scene.claim(worker)
        let next = try await scene.answered(4, by: .grace)
        // No page more than there are; SQLite raises a smaller number to that.
        try await scene.store.write { db in try db.script("PRAGMA max_page_count = 1") }
        var refused: StoreError.Code?
        for _ in 0..<200 where refused == nil {
            refused = await code { _ = try await scene.answered(4, by: .grace) }
        }
        #expect(refused == .diskFull)
        #expect(try await scene.settle(claimed[0], .accepted(remoteID: nil), status: 201))
        #expect(try await scene.settle(claimed[1], .retry(after: .zero), status: 500))
        #expect(try await scene.settle(claimed[2], .parked(reason: "no"), status: 400))
        #expect(try await scene.sql("SELECT state FROM submissions ORDER BY seq") == "accepted\nready\nparked")
        #expect(try await scene.sql("PRAGMA integrity_check") == "ok")
        try await scene.store.write { db in try db.script("PRAGMA max_page_count = 1000000") }
        _ = try await scene.store.commit(scene.finish(next, by: .grace))
        #expect(try await scene.claim(worker).count == 2)
    }
}
