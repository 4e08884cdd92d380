import Foundation
import FoyerModel
import FoyerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import FoyerStore

/// A backup that tells how far it is, also while others write.
@Suite(.timeLimit(.minutes(2))) struct BackupProgressTests {
    @Test("A backup reports its progress while others write, and holds a single moment")
    func itGoesOnWhileOthersWriteAndHoldsOneMoment() async throws {
        let scene = try await Scene()
        _ = try await scene.sql(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
            INSERT INTO events (at, what, detail, counted_from)
            SELECT '2026-01-01T00:00:00.000Z', 'x', hex(randomblob(200)), 0 FROM n
            """)
        let copy = scene.folder.appending("copy.db"), told = Mutex<[(done: Int, total: Int)]>([])
        let writer = Task {
            // Two rows in one transaction, or none.
            while !Task.isCancelled {
                try await scene.store.write { db in
                    try Events.add(.keyChanged, at: TestClock.start, in: db)
                    try Events.add(.keyChanged, at: TestClock.start, in: db)
                }
            }
        }
        try await Repositories.backUp(at: scene.database, to: copy) { done, total in
            told.withLock { $0.append((done, total)) }
        }
        writer.cancel()
        try? await writer.value
        let words = told.withLock { $0 }
        #expect(words.count > 3, "\(words)")
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.done < $1.done && $0.total == $1.total }, "\(words)")
        #expect(words.last.map { $0.done == $0.total } == true)
        let pairs = try await Program("sqlite3", [copy, "SELECT count(*) % 2 FROM events WHERE what = 'pair'"]).run()
        #expect(pairs.stdout == "0\n")
    }
}
