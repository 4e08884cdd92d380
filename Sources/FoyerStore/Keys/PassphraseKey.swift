import FoyerModel
import Synchronization

/// A key in a file that only a passphrase opens.
///
/// What the passphrase became is kept, in protected memory, for as long as the store is open; the passphrase is not.
final class PassphraseKey: KeyProvider {
    private static let tries = 3

    private let keyFile: KeyFile
    private let work: Argon2Parameters
    private let ask: @Sendable (KeySource.PassphraseRequest) async -> Secret?
    private let wrapping = Mutex<WrappingKey?>(nil)

    init(
        path: String, work: Argon2Parameters = .keyWrapping,
        ask: @escaping @Sendable (KeySource.PassphraseRequest) async -> Secret?
    ) {
        keyFile = KeyFile(path: path, size: WrappedKey.size)
        self.work = work
        self.ask = ask
    }

    var title: String { "key file \(keyFile.path)" }
    var file: String? { keyFile.path }

    func state(of name: String?) throws(StoreError) -> KeyState {
        let found = try keyFile.read(where: { name == nil || $0.keyName == name }, WrappedKey.init(copying:))
        guard let found else { return .absent }
        guard let wrapping = wrapping.withLock({ $0 }), let key = try found.open(with: wrapping) else {
            return .locked(name: found.keyName)
        }
        return .available(key)
    }

    func unlock() async throws(StoreError) {
        guard let found = try keyFile.read(WrappedKey.init(copying:)) else {
            let passphrase = try await passphrase(.choose), salt = try WrappingKey.freshSalt()
            let chosen = try await WrappingKey.derive(from: passphrase, salt: salt, work: work)
            return wrapping.withLock { $0 = chosen }
        }
        for number in 0..<Self.tries {
            let entered = try await passphrase(number == 0 ? .enter : .enterAgain)
            let derived = try await WrappingKey.derive(from: entered, salt: found.salt, work: found.work)
            guard try found.open(with: derived) != nil else { continue }
            return wrapping.withLock { $0 = derived }
        }
        throw StoreError(
            .keyLocked,
            "That passphrase does not open the \(title). If it is lost, move the file away, and give up what was sealed.",
            recovery: .resetKey)
    }

    private func passphrase(_ request: KeySource.PassphraseRequest) async throws(StoreError) -> Secret {
        guard let entered = await ask(request), !entered.withBytes(\.isEmpty) else { throw locked }
        return entered
    }

    private var locked: StoreError {
        StoreError(
            .keyLocked,
            "The \(title) needs its passphrase, and nobody gave it; everything that needs no secret goes on.",
            recovery: .unlockKey)
    }

    func create() throws(StoreError) { try make(keyFile) }

    func makeNext() throws(StoreError) -> DeviceKey {
        // What an interrupted rotation made is taken, unless it was under another passphrase.
        try make(keyFile.next)
        let made = try keyFile.next.read(WrappedKey.init(copying:))
        guard let wrapping = wrapping.withLock({ $0 }), let key = try made?.open(with: wrapping) else {
            throw keyFile.cannotCreate("'\(keyFile.next.path)' is in the way; remove it")
        }
        return key
    }

    private func make(_ file: KeyFile) throws(StoreError) {
        guard let wrapping = wrapping.withLock({ $0 }) else { throw locked }
        try WrappedKey(try DeviceKey.random(), under: wrapping).write(to: file)
    }
}
