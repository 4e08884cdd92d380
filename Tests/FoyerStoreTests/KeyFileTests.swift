import FoyerModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct KeyFileTests {
    let folder: TemporaryFolder
    var path: String { folder.appending("key") }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ size: Int, mode: mode_t, to path: String) throws {
        try Data(repeating: 7, count: size).write(to: URL(filePath: path))
        chmod(path, mode)
    }

    private func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode & 0o7777
    }

    @Test("A file that is not there is no key")
    func missing() throws {
        #expect(try KeyFile(path: path).load() == nil)
        #expect(try KeyFile(path: folder.appending("no/such/key")).load() == nil)
    }

    @Test("A key that was made is there again, and making it twice keeps the first")
    func made() throws {
        let file = KeyFile(path: path)
        try file.create()
        let name = try file.load()?.name
        try file.create()
        #expect(name != nil)
        #expect(try file.load()?.name == name)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
    }

    @Test(
        "Whatever the umask is, the key file is its owner's alone, and so are the folders made for it",
        arguments: [0, 0o022, 0o077])
    func umask(mask: Int) async throws {
        let path = folder.appending("state/foyer/key")
        await #expect(processExitsWith: .success) { [path = path as String, mask = mask as Int] in
            Glibc.umask(mode_t(mask))
            try KeyFile(path: path).create()
        }
        #expect(try mode(of: path) == 0o600)
        #expect(try mode(of: folder.appending("state/foyer")) == 0o700)
        #expect(try mode(of: folder.appending("state")) == 0o700)
    }

    @Test(
        "A key file that others may touch is refused, with the command that mends it",
        arguments: [
            0o601, 0o602, 0o604, 0o610, 0o620, 0o640, 0o660, 0o644, 0o666, 0o777,
        ])
    func modes(mode: Int) throws {
        try write(32, mode: mode_t(mode), to: path)
        let error = #expect(throws: StoreError.self) { try KeyFile(path: path).load() }
        #expect(error?.code == .unsafeKeyFile)
        #expect(error?.message.contains("chmod 600 '\(path)'") == true)
    }

    @Test("A key file that belongs to somebody else is refused", .enabled(if: geteuid() == 0))
    func owner() async throws {
        try write(32, mode: 0o600, to: path)
        try #require(chown(path, 65534, 65534) == 0)
        #expect(await code { _ = try KeyFile(path: path).load() } == .unsafeKeyFile)
    }

    @Test("A key file of another size is refused", arguments: [0, 1, 31, 33, 64])
    func sizes(size: Int) throws {
        try write(size, mode: 0o600, to: path)
        #expect(throws: StoreError.self) { try KeyFile(path: path).load() }
        try write(32, mode: 0o600, to: path)
        #expect(try KeyFile(path: path).load() != nil)
    }

    /// What may lie where the key file should.
    enum Impostor: CaseIterable {
        case link, dangling, hardLink, folder, pipe
    }

    @Test(
        "A link of either kind, a folder or a pipe is no key file, and nobody waits for it",
        arguments: Impostor.allCases)
    func impostors(impostor: Impostor) async throws {
        switch impostor {
        case .link:
            try write(32, mode: 0o600, to: folder.appending("real"))
            try #require(symlink("real", path) == 0)
        case .dangling: try #require(symlink("nowhere", path) == 0)
        case .hardLink:
            try write(32, mode: 0o600, to: folder.appending("real"))
            try #require(link(folder.appending("real"), path) == 0)
        case .folder: try #require(mkdir(path, 0o700) == 0)
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        }
        #expect(await code { _ = try KeyFile(path: path).load() } == .unsafeKeyFile)
    }

    @Test("Where no key file can be made, that is said", arguments: ["file/key", "readonly/key"])
    func cannotMake(name: String) async throws {
        try write(1, mode: 0o600, to: folder.appending("file"))
        try #require(symlink("/proc/self", folder.appending("readonly")) == 0)
        #expect(await code { try KeyFile(path: folder.appending(name)).create() } == .cannotCreate)
    }

    @Test("Whoever makes the key at the same time ends with the same one, whole at every moment")
    func tasks() async throws {
        for round in 0..<50 {
            let file = KeyFile(path: folder.appending("\(round)/key"))
            let names = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try file.create()
                        return try file.load()?.name
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(names.count == 1)
            #expect(!names.contains(nil))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending("\(round)")) == ["key"])
        }
    }
}
