import FoyerModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FoyerStore

/// What is particular to a key that a passphrase opens.
@Suite struct PassphraseKeyTests {
    private static func isAvailable(_ provider: any KeyProvider) throws -> Bool {
        if case .available = try provider.state(of: nil) { true } else { false }
    }

    @Test(
        "Nobody there, nothing typed, or the wrong passphrase: the key stays locked, and nothing changes",
        arguments: [nil, "", "wrong"])
    func locked(answer: String?) async throws {
        let ring = try KeyRing(.passphrase)
        let before = try ring.keyFiles()
        ring.say(answer)
        let provider = try ring.provider()
        #expect(await code { try await provider.unlock() } == .keyLocked)
        #expect(ring.asked == (answer == "wrong" ? [.enter, .enterAgain, .enterAgain] : [.enter]))
        #expect(try !Self.isAvailable(provider))
        #expect(try ring.keyFiles() == before)
        ring.say(KeyRing.passphrase)
        try await provider.unlock()
        #expect(try Self.isAvailable(provider))
    }

    @Test("What a locked key is needed for fails and changes nothing; a wrong passphrase gives up no secret")
    func store() async throws {
        let ring = try KeyRing(.passphrase)
        let scene = try await Self.sealed(in: ring)
        let before = try await ring.everything()
        ring.say("wrong")
        let store = try await ring.store()
        #expect(await code { _ = try await store.rotateKey() } == .keyLocked)
        #expect(await code { _ = try await store.resetKey() } == .keyLocked)
        #expect(await code { _ = try await store.keyLoss() } == .keyLocked)
        #expect(try await ring.everything() == before)
        #expect(try await scene.rotateKey() == 0)
    }

    private static func sealed(in ring: KeyRing) async throws -> Repositories {
        let store = try await ring.store()
        _ = try await store.write { [vault = store.vault] db in
            try vault.seal(Secret("x"), table: "secrets", column: "box", row: "r", version: 1, in: db).keyID
        }
        return store
    }

    @Test("Whoever needs the key at the same time, it is asked for once")
    func once() async throws {
        let ring = try KeyRing(.passphrase)
        _ = try await Self.sealed(in: ring)
        let asked = ring.asked.count
        let store = try await ring.store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    _ = try await store.write { [vault = store.vault] in try vault.identity(in: $0)?.key.name }
                }
            }
            try await group.waitForAll()
        }
        #expect(ring.asked.count == asked + 1)
    }

    @Test("A file that was changed anywhere opens no key, and asks for no more work than is bearable")
    func changed() async throws {
        let ring = try KeyRing(.passphrase)
        let (name, bytes) = try #require(try ring.keyFiles().first)
        let path = ring.folder.appending("keys/\(name)")
        #expect(bytes.count == WrappedKey.size)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= place == 9 || place == 13 ? 0x80 : 1
            // A pass or two more are done, and lead to another key.
            if place == 15 { continue }
            try changed.write(to: URL(filePath: path))
            let provider = try ring.provider()
            let error = await code { try await provider.unlock() }
            #expect(error == .keyLocked || error == .unsafeKeyFile, "byte \(place)")
        }
    }

    @Test(
        "Work beyond all bounds is refused before anybody is asked",
        arguments: [(0, 8), (11, 8), (1, 7), (1, 1_048_577), (1, 4_294_967_295), (4_294_967_295, 65536)])
    func work(passes: Int, kibibytes: Int) async throws {
        let ring = try KeyRing(.passphrase)
        let (name, bytes) = try #require(try ring.keyFiles().first)
        var changed = bytes
        changed.replaceSubrange(9..<17, with: lengthPrefix(passes) + lengthPrefix(kibibytes))
        try changed.write(to: URL(filePath: ring.folder.appending("keys/\(name)")))
        let provider = try ring.provider()
        #expect(await code { try await provider.unlock() } == .unsafeKeyFile)
        #expect(await code { _ = try provider.state(of: nil) } == .unsafeKeyFile)
        #expect(ring.asked == [])
    }

    @Test("Two who make the key at the same time end with one, and the second is asked for its passphrase")
    func race() async throws {
        let ring = try KeyRing(.passphrase, isThere: false)
        let first = try ring.provider(), second = try ring.provider()
        try await first.unlock()
        try await second.unlock()
        try first.create()
        try second.create()
        #expect(try Self.isAvailable(first))
        #expect(try !Self.isAvailable(second))
        try await second.unlock()
        #expect(try Self.isAvailable(second))
        #expect(ring.asked == [.choose, .choose, .enter])
        #expect(try ring.keyFiles().count == 1)
    }

    @Test("A bare key is not taken for one with a passphrase, nor the other way round")
    func mixedUp() async throws {
        let bare = try KeyRing(.file), wrapped = try KeyRing(.passphrase)
        let asPassphrase = PassphraseKey(path: bare.folder.appending("keys/foyer-key"), work: KeyRing.work) { _ in nil }
        #expect(await code { try await asPassphrase.unlock() } == .unsafeKeyFile)
        let asFile = KeyFile(path: wrapped.folder.appending("keys/foyer-key"))
        #expect(await code { _ = try asFile.state(of: nil) } == .unsafeKeyFile)
    }
}
