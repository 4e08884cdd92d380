import Foundation
import Glibc
import TestSupport
import Testing

/// `--key`, `--key-fd` and what they stand for in the environment.
@Suite(.timeLimit(.minutes(2))) struct KeyProviderCommandTests {
    private static let passphrase = "a horse that is correct"

    /// A household with 32 random bytes that somebody has made for it.
    private static func household() throws -> (Household, key: String) {
        let household = try Household()
        try FileManager.default.createDirectory(
            atPath: household.folder.appending("state"), withIntermediateDirectories: true)
        let key = household.folder.appending("state/foyer-key")
        try Data((0..<32).map { _ in UInt8.random(in: 0...255) }).write(to: URL(filePath: key))
        chmod(key, 0o400)
        return (household, key)
    }

    @Test("A key that comes through a descriptor seals and opens, and is never written to a file")
    func aKeyComesThroughADescriptor() async throws {
        let (household, key) = try Self.household()
        let registered = try await household.shell(
            "foyer register --network offline --key-fd 63 63< \(key)", lines: Person.ada.answers)
        #expect(registered.exit == .code(75), "\(registered.stderr)")
        let without = try await household.shell("FOYER_KEY_FD=63 foyer sync --wait 0")
        #expect(without.exit == .code(78) && without.stderr.contains("descriptor 63"), "\(without)")
        let short = try await household.shell("foyer key rotate --key-fd 63 63< <(head -c 31 \(key))")
        #expect(short.exit == .code(78) && short.stderr.contains("31 bytes"), "\(short)")
        let rotated = try await household.shell("foyer key rotate --json --key-fd 63 63< \(key)")
        #expect(rotated.exit == .code(73), "\(rotated.stderr)")
        let checked = try await household.shell("FOYER_KEY_FD=63 foyer doctor 63< \(key)")
        #expect(checked.exit == .code(0) && checked.stdout.contains("key from descriptor 63"), "\(checked)")
        #expect(!FileManager.default.fileExists(atPath: household.keyFile))
        let synced = try await household.shell("FOYER_KEY_FD=63 foyer sync 63< \(key)")
        #expect(synced.exit == .code(0), "\(synced.stderr)")
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    @Test("A key that comes as a systemd credential seals and opens, and is never written to a file")
    func aKeyComesFromSystemd() async throws {
        let (household, key) = try Self.household()
        let service = ["CREDENTIALS_DIRECTORY": parent(of: key)]
        let missing = try await household.foyer(
            "register", "--key", "systemd", "--network", "offline", lines: Person.ada.answers)
        #expect(missing.exit == .code(78) && missing.stderr.contains("LoadCredentialEncrypted"), "\(missing.stderr)")
        let resumed = try await household.foyer(
            "resume", "--key", "systemd", "--network", "offline", lines: Array(Person.ada.answers[2...]),
            adding: service)
        #expect(resumed.exit == .code(75), "\(resumed.stderr)")
        let rotated = try await household.foyer("key", "rotate", "--key", "systemd", adding: service)
        #expect(rotated.exit == .code(73) && rotated.stderr.contains("hand over another key"), "\(rotated.stderr)")
        let checked = try await household.foyer("doctor", adding: service.merging(["FOYER_KEY": "systemd"]) { $1 })
        #expect(checked.exit == .code(0) && checked.stdout.contains("systemd credential foyer-key"), "\(checked)")
        #expect(try await household.foyer("sync", "--key", "systemd", adding: service).exit == .code(0))
        #expect(try await household.canSignIn(.ada))
        #expect(!FileManager.default.fileExists(atPath: household.keyFile))
        try await household.checkInvariants()
    }

    private func parent(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) }

    @Test("A passphrase is chosen and asked unseen at a terminal, and only where a secret is needed")
    func aPassphraseIsChosenAndAskedHiddenAtATerminal() async throws {
        let household = try Household()
        let terminal = try household.terminal("register", "--network", "offline", "--key", "passphrase")
        try await terminal.answer(0..<3)
        try await terminal.expect("New passphrase: ")
        try terminal.send(Self.passphrase + "\r")
        try await terminal.expect("Once more: ")
        try terminal.send("another\r")
        try await terminal.expect("not the same")
        for _ in 0..<2 {
            try await terminal.expect(": ")
            try terminal.send(Self.passphrase + "\r")
        }
        try await terminal.answer(3..<5)
        #expect(try await terminal.wait() == .code(75))
        #expect(terminal.count(of: Self.passphrase) == 0)

        // What needs no secret asks for nothing.
        #expect(try await household.foyer("flows", "--key", "passphrase").exit == .code(0))
        #expect(try await household.foyer("outbox", "--key", "passphrase").exit == .code(0))
        let onPipe = try await household.foyer("sync", "--wait", "0", "--key", "passphrase", lines: [Self.passphrase])
        #expect(onPipe.exit == .code(78) && onPipe.stderr.contains("passphrase"), "\(onPipe)")
        let doctor = try await household.foyer("doctor", "--key", "passphrase", "--json")
        #expect(doctor.exit == .code(78))

        let syncing = try household.terminal("sync", "--key", "passphrase")
        try await syncing.expect("Passphrase of the key: ")
        try syncing.send("wrong\r")
        try await syncing.expect("That is not the passphrase")
        try await syncing.expect("Passphrase of the key: ")
        try syncing.send(Self.passphrase + "\r")
        #expect(try await syncing.wait() == .code(0), "\(syncing.transcript)")
        #expect(syncing.count(of: Self.passphrase) == 0 && syncing.count(of: "wrong") == 0)
        #expect(try await household.canSignIn(.ada))
        #expect(try household.strayFiles() == ["state/foyer/passphrase-key"])
        #expect(try household.folder.occurrences(of: Array(Self.passphrase.utf8)) == [])
        try await household.checkInvariants()
    }

    @Test("An unknown way to keep the key is refused, and a flag goes before the environment")
    func whatIsNoWayToKeepAKeyIsSaid() async throws {
        let household = try Household()
        for words in [
            ["--key", "tin"], ["--key-fd", "x"], ["--key-fd", "0"], ["--key-fd", "2"], ["--key-fd", "-1"],
        ] {
            #expect(try await household.foyer(["flows"] + words).exit == .code(64), "\(words)")
        }
        for (name, value, exit) in [("FOYER_KEY", "tin", Int32(78)), ("FOYER_KEY_FD", "1", 64)] {
            #expect(try await household.foyer("flows", adding: [name: value]).exit == .code(exit), "\(name)")
        }
        // What is said on the command line goes before what the environment says.
        let said = try await household.foyer(
            "register", "--key-file", household.keyFile, lines: Person.ada.answers, adding: ["FOYER_KEY_FD": "7"])
        #expect(said.exit == .code(0), "\(said.stderr)")
        try await household.checkInvariants()
    }
}
