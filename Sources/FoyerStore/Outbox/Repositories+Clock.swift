package import FoyerModel
import FoyerSQLite

extension Repositories {
    /// Looks whether the time of day has jumped since the store was last written, and notes it: each jump is told once.
    package func takeClockJump() async throws(StoreError) -> ClockJump? {
        // Most of the time nothing is written.
        guard try await read({ [clock] db in try clock.jump(in: db) }) != nil else { return nil }
        return try await write { [clock] db in
            let jump = try clock.jump(in: db)
            try clock.mark(in: db)
            return jump
        }
    }

    /// The time by which the time of day has jumped while the machine was off, and which is not counted yet.
    package func uncountedTime() async throws(StoreError) -> Duration {
        try await read { [clock] db in try clock.uncounted(in: db) }
    }

    /// Counts that time: whatever was there before it ages by as much, and may expire.
    /// - Returns: how much that is.
    package func trustClock() async throws(StoreError) -> Duration {
        try await write { [clock] db in try clock.confirm(in: db) }
    }
}
