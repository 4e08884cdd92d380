import FoyerModel
import FoyerSQLite
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct FullDiskTests {
    @Test("A full file takes nothing new; what became of a sending is written, or can be once there is room")
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
        let ends = [
            Settlement.verdict(.accepted(remoteID: nil)), .retry(after: .zero), .parked(reason: "no"),
        ]
        var unwritten: [Int] = []
        for (number, end) in ends.enumerated() {
            let refusal = await code { try await scene.settle(claimed[number], end) }
            #expect(refusal == nil || refusal == .diskFull)
            if refusal != nil { unwritten.append(number) }
        }
        #expect(!unwritten.contains(1), "to try again later takes no room")
        #expect(try await scene.sql("PRAGMA integrity_check") == "ok")
        try await scene.store.write { db in try db.script("PRAGMA max_page_count = 1000000") }
        for number in unwritten { #expect(try await scene.settle(claimed[number], ends[number])) }
        #expect(try await scene.sql("SELECT state FROM submissions ORDER BY seq") == "accepted\nready\nparked")
        _ = try await scene.store.commit(scene.finish(next, by: .grace))
        #expect(try await scene.claim(worker).count == 2)
    }
}
