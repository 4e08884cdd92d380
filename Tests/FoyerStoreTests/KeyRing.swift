import FoyerModel
import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import FoyerStore

/// Where a key can come from.
enum KeyKind: CaseIterable {
    case file, systemd, descriptor, passphrase

    /// Whether Foyer can make and change the key.
    var canMake: Bool { self == .file || self == .passphrase }
}

/// The key of one store as somebody keeps it, and what each program is given that uses it.
final class KeyRing: Sendable {
    static let passphrase = "a horse that is correct"
    /// The least that the algorithm allows.
    static let work = Argon2Parameters(passes: 1, kibibytes: 8)

    let kind: KeyKind
    let folder: TemporaryFolder
    private let bytes: Mutex<[UInt8]?>
    private let questions = Mutex<[KeySource.PassphraseRequest]>([])
    private let answer = Mutex<String?>(KeyRing.passphrase)
    private let descriptors = Mutex<[Int32]>([])

    /// - Parameter isThere: whether somebody has put a key there already.
    init(_ kind: KeyKind, isThere: Bool = true) throws {
        self.kind = kind
        folder = try TemporaryFolder()
        bytes = Mutex(nil)
        guard mkdir(folder.appending("keys"), 0o700) == 0 else { throw Failure("no folder for keys") }
        if isThere { try putAnother() }
    }

    deinit {
        for descriptor in descriptors.withLock({ $0 }) { close(descriptor) }
    }

    var database: String { folder.appending("a.db") }
    private var path: String { folder.appending("keys/foyer-key") }

    /// What was asked at the terminal.
    var asked: [KeySource.PassphraseRequest] { questions.withLock { $0 } }
    func say(_ passphrase: String?) { answer.withLock { $0 = passphrase } }

    /// As another program is given it.
    func provider() throws -> any KeyProvider {
        switch kind {
        case .file: return KeyFile(path: path)
        case .systemd: return SystemdCredential(name: "foyer-key", folder: folder.appending("keys"))
        case .descriptor: return DescriptorKey(try pipe(of: bytes.withLock { $0 }))
        case .passphrase:
            return PassphraseKey(path: path, work: Self.work) { request in
                self.questions.withLock { $0.append(request) }
                return self.answer.withLock { $0.map { Secret($0) } }
            }
        }
    }

    func store() async throws -> Repositories {
        try await Repositories.open(
            at: database, provider: try provider(), endpoint: .named("server"), sealingKey: nil, createIfMissing: true,
            environment: .system)
    }

    /// A descriptor that gives these bytes, or that is not open.
    func pipe(of bytes: [UInt8]?, closing: Bool = true) throws -> Int32 {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw Failure("pipe") }
        let (reading, writing) = (ends[0], ends[1])
        guard let bytes else {
            // Far above what anybody else in this process gets meanwhile.
            close(reading)
            close(writing)
            return 900_000
        }
        guard write(writing, bytes, bytes.count) == bytes.count else { throw Failure("write") }
        if closing { close(writing) } else { descriptors.withLock { $0.append(writing) } }
        descriptors.withLock { $0.append(reading) }
        return reading
    }

    /// Somebody puts another key there, as that is done outside of Foyer.
    func putAnother() throws {
        let key = try DeviceKey.random()
        bytes.withLock { bytes in bytes = key.withBytes { Array(UnsafeBufferPointer(start: $0, count: 32)) } }
        unlink(path)
        switch kind {
        case .file: try KeyFile(path: path).create()
        case .systemd:
            try Data(bytes.withLock { $0 } ?? []).write(to: URL(filePath: path))
            chmod(path, 0o400)
        case .descriptor: break
        case .passphrase: try putWrapped(key)
        }
    }

    private func putWrapped(_ key: DeviceKey) throws {
        let salt = try WrappingKey.freshSalt()
        let wrapping = try WrappingKey(from: Secret(Self.passphrase), salt: salt, work: Self.work)
        try WrappedKey(key, under: wrapping).write(to: KeyFile(path: path, size: WrappedKey.size))
    }

    /// Takes the key away; what is given can be put back.
    func take() throws -> () throws -> Void {
        let kept = bytes.withLock { bytes in
            defer { bytes = nil }
            return bytes
        }
        let aside = folder.appending("kept")
        guard kind == .descriptor || rename(path, aside) == 0 else { throw Failure("rename") }
        return {
            self.bytes.withLock { $0 = kept }
            guard self.kind == .descriptor || rename(aside, self.path) == 0 else { throw Failure("rename") }
        }
    }

    /// The files with keys.
    func keyFiles() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending("keys"))
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(filePath: folder.appending("keys/\($0)"))))
            })
    }

    /// All that is in the database, as another process reads it.
    func everything() async throws -> String {
        try await Program("sqlite3", ["-cmd", ".timeout 5000", database, ".dump"]).run().stdout
    }
}
