import Foundation
import TestSupport
import Testing

/// Disks and files that fail under `foyer sync`: it says what is wrong, and loses nothing.
@Suite(.timeLimit(.minutes(5))) struct OutboxFaultTests {
    private static func household(registrations: Int = 1) async throws -> Household {
        let household = try Household()
        for number in 0..<registrations {
            let person = Person(email: "p\(number)@example.org", userName: "person\(number)")
            let queued = try await household.foyer("register", "--network", "offline", lines: person.answers)
            #expect(queued.exit == .code(75))
        }
        return household
    }

    /// A sqlite3 shell, a process of its own, that holds the database's write lock until it is told otherwise.
    private static func lock(_ household: Household) async throws -> PseudoTerminal {
        let shell = try PseudoTerminal(Program("sqlite3", [household.database]))
        try await shell.expect("sqlite>")
        try shell.send("BEGIN IMMEDIATE;\r")
        try await shell.expect("sqlite>")
        return shell
    }

    // MARK: Locked

    @Test("A sync waits for a database lock that is held only briefly")
    func aShortLockIsWaitedFor() async throws {
        let household = try await Self.household()
        let shell = try await Self.lock(household)
        async let synced = household.foyer("sync")
        // The fault itself: a lock that is held for a second.
        try await Task.sleep(for: .seconds(1))
        try shell.send("COMMIT;\r")
        #expect(try await synced.exit == .code(0))
        try shell.send(".quit\r")
        try await shell.wait()
        try await household.checkInvariants()
    }

    @Test("A database lock that stays is reported, and the next sync delivers")
    func aLockThatStaysIsToldAndNothingIsLost() async throws {
        let household = try await Self.household()
        let shell = try await Self.lock(household)
        let refused = try await household.foyer("sync", "--json")
        #expect(refused.exit == .code(75))
        #expect(try refused.error()?.code == "busy")
        try shell.send("COMMIT;\r.quit\r")
        try await shell.wait()
        #expect(try await household.foyer("sync").exit == .code(0))
        try await household.checkInvariants()
    }

    @Test("A watch reports a long lock and delivers once it is released")
    func whoWatchesGoesOnAfterALongLock() async throws {
        let household = try await Self.household()
        let shell = try await Self.lock(household)
        let watch = try household.terminal("sync", "--watch", "--json")
        try await watch.expect(#""code":"busy""#, within: .seconds(30))
        try shell.send("COMMIT;\r.quit\r")
        try await shell.wait()
        try await watch.expect(#""outcome":"accepted""#, within: .seconds(60))
        watch.signal(15)
        try await watch.wait()
        try await household.checkInvariants()
    }

    // MARK: Disks

    @Test("After a failed fdatasync the next sync delivers, and the account exists once")
    func aDiskThatCannotSyncIsToldAndTheNextRunFindsOut() async throws {
        guard await Strace.isAvailable() else { return }
        for number in 1...6 {
            let household = try await Self.household()
            var program = try household.program([])
            program.arguments = [
                "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e",
                "inject=fdatasync:error=EIO:when=\(number)+", program.executable, "sync",
            ]
            program.executable = "strace"
            let failed = try await program.run(within: .seconds(60))
            #expect([.code(0), .code(74), .code(75), .code(69)].contains(failed.exit), "\(failed.stderr)")
            #expect(try await household.foyer("sync").exit == .code(0), "sync \(number)")
            #expect(try await household.accounts().split(separator: "\n").count == 1)
            try await household.checkInvariants()
        }
    }

    /// Runs shell lines where only they can see what is mounted; nil where that is not allowed.
    private func mounted(_ lines: String, in household: Household) async throws -> Program.Finished? {
        let trial = try await Program("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", household.folder.path]).run()
        guard trial.exit == .code(0) else { return nil }
        var program = try household.program([])
        program.arguments = ["-m", "bash", "-c", "foyer=\(program.executable); \(lines)"]
        program.executable = "unshare"
        return try await program.run(within: .seconds(120))
    }

    @Test("A full disk is reported, and all acknowledged registrations are delivered once there is room")
    func aFullDiskIsToldAndWhatWasAcknowledgedIsDeliveredOnceThereIsRoom() async throws {
        let household = try Household()
        let result = try await mounted(
            """
            mkdir -p "$XDG_DATA_HOME" && mount -t tmpfs -o size=400k tmpfs "$XDG_DATA_HOME" || exit 99
            queued=0
            for number in $(seq 1 200); do
                printf '%s\\n' p$number@example.org person$number 'four unrelated words' Ada Lovelace |
                    "$foyer" register --network offline 2>/dev/null
                code=$?
                [ $code -eq 75 ] && queued=$((queued + 1)) || break
            done
            echo "refused with $code"
            "$foyer" sync >/dev/null 2>&1; echo "sync on a full disk ends with $?"
            mount -o remount,size=64m "$XDG_DATA_HOME"
            "$foyer" resume --network offline --yes </dev/null >/dev/null 2>&1
            "$foyer" sync --json >/dev/null 2>&1; echo "sync with room ends with $?"
            accepted=$(sqlite3 "$XDG_DATA_HOME"/foyer/foyer.db "SELECT count(*) FROM submissions WHERE state = 'accepted'")
            [ $accepted -ge $queued ] && echo "all delivered"
            sqlite3 "$XDG_DATA_HOME"/foyer/foyer.db 'PRAGMA integrity_check'
            """, in: household)
        guard let result, result.exit != .code(99) else { return }
        let said = result.stdout.split(separator: "\n").map { String($0) }
        #expect(said.contains("all delivered") && said.last == "ok", "\(result.stdout)\(result.stderr)")
        #expect(["refused with 73", "refused with 74"].contains { said.contains($0) }, "\(said)")
        #expect(said.contains("sync with room ends with 0"), "\(said)")
        #expect(!said.contains { $0.contains("ends with 1") && $0.count > 40 }, "\(said)")
    }

    @Test("A read-only database is reported, and its submission is delivered later")
    func aReadOnlyFileIsToldAndDeliveredLater() async throws {
        let household = try await Self.household()
        let result = try await mounted(
            """
            mount --bind "$XDG_DATA_HOME" "$XDG_DATA_HOME" && mount -o remount,ro,bind "$XDG_DATA_HOME" || exit 99
            "$foyer" sync
            """, in: household)
        guard let result, result.exit != .code(99) else { return }
        #expect([.code(73), .code(74), .code(78)].contains(result.exit), "\(result.exit) \(result.stderr)")
        #expect(!result.stderr.isEmpty)
        #expect(try await household.foyer("sync").exit == .code(0))
        try await household.checkInvariants()
    }
}
