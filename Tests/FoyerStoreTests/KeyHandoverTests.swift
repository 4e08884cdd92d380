import FoyerModel
import Foundation
import Glibc
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

/// What is particular to a key that is handed over: by systemd, or through a descriptor.
@Suite struct KeyHandoverTests {
    private static func state(_ provider: any KeyProvider) async -> StoreError.Code? {
        await code {
            try await provider.unlock()
            guard case .available = try provider.state(of: nil) else { throw StoreError(.notFound, "no key") }
        }
    }

    @Test(
        "A descriptor that gives too little, too much or nothing is refused", arguments: [0, 1, 31, 32, 33, 64, 4096])
    func sizes(size: Int) async throws {
        let ring = try KeyRing(.descriptor, isThere: false)
        let provider = DescriptorKey(try ring.pipe(of: [UInt8](repeating: 7, count: size)))
        #expect(await Self.state(provider) == (size == 32 ? nil : .unsafeKeyFile))
        #expect(await Self.state(provider) == (size == 32 ? nil : .unsafeKeyFile), "it is read once")
    }

    @Test("Nobody waits for the end of a descriptor that has given a whole key, nor long for one that gives none")
    func open() async throws {
        let ring = try KeyRing(.descriptor, isThere: false)
        let clock = ContinuousClock()
        let whole = DescriptorKey(try ring.pipe(of: [UInt8](repeating: 7, count: 32), closing: false))
        #expect(await Self.state(whole) == nil)
        let long = DescriptorKey(try ring.pipe(of: [UInt8](repeating: 7, count: 33), closing: false))
        #expect(await Self.state(long) == .unsafeKeyFile)
        let short = DescriptorKey(try ring.pipe(of: [UInt8](repeating: 7, count: 31), closing: false))
        let waited = await clock.measure { #expect(await Self.state(short) == .unsafeKeyFile) }
        #expect(waited >= DescriptorKey.timeout)
    }

    @Test("A descriptor that is not open holds no key")
    func closed() async throws {
        #expect(await Self.state(DescriptorKey(900_001)) == .keyMissing)
    }

    @Test("A credential's name leads to no other place", arguments: ["", ".", "..", "../key", "a/b", "/etc/passwd"])
    func names(name: String) async throws {
        let folder = try TemporaryFolder()
        #expect(await Self.state(SystemdCredential(name: name, folder: folder.path)) == .unsafeKeyFile)
        withExtendedLifetime(folder) {}
    }

    @Test("Without the folder of a service there is no credential", arguments: [nil, "", "relative"])
    func folders(folder: String?) async throws {
        #expect(await Self.state(SystemdCredential(name: "foyer-key", folder: folder)) == .notFound)
    }

    @Test(
        "A credential that others may read is refused, and so is one of another size", arguments: [0o404, 0o422, 0o466])
    func modes(mode: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.appending("foyer-key")
        let provider = SystemdCredential(name: "foyer-key", folder: folder.path)
        try Data(repeating: 7, count: 32).write(to: URL(filePath: path))
        chmod(path, mode_t(mode))
        #expect(await Self.state(provider) == .unsafeKeyFile)
        chmod(path, 0o400)
        #expect(await Self.state(provider) == nil)
        chmod(path, 0o600)
        try Data(repeating: 7, count: 31).write(to: URL(filePath: path))
        chmod(path, 0o400)
        #expect(await Self.state(provider) == .unsafeKeyFile)
    }
}
