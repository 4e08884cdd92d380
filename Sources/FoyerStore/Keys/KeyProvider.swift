import FoyerModel

/// What a provider knows of a key without asking anybody, and without waiting.
enum KeyState {
    case available(DeviceKey)
    /// There is one, or may be, which `unlock` has to get first; with its name where that can be told.
    case locked(name: String?)
    case absent
}

/// Where the device's key comes from.
///
/// `state`, `create` and `makeNext` are called inside transactions, so they are quick; what takes long, or a person, is
/// done by `unlock`, outside of them.
protocol KeyProvider: Sendable {
    /// Names it in the middle of a sentence, after "the".
    var title: String { get }
    /// The file with the key; nil where it is none of ours.
    var file: String? { get }

    /// The key of that name, or of any; another key where that is all there is.
    /// - Throws: `unsafeKeyFile` when what is there must not be used.
    func state(of name: String?) throws(StoreError) -> KeyState
    /// Gets what is locked, or what a key that is absent can be made with.
    /// - Throws: `keyLocked` when that is not possible now.
    func unlock() async throws(StoreError)
    /// Makes a key where there is none; one that another process made meanwhile is kept.
    /// - Throws: `cannotCreate`; `keyMissing` where the provider only reads; `keyLocked` where `unlock` has to come first.
    func create() throws(StoreError)
    /// A key to be used from now on, kept beside the present one until `state` is asked for it by its name.
    /// - Throws: as `create`.
    func makeNext() throws(StoreError) -> DeviceKey
}

extension KeyProvider {
    func unlock() async throws(StoreError) {}
}

extension KeySource {
    var provider: any KeyProvider {
        switch self {
        case .file(let path): KeyFile(path: absolute(path))
        case .systemdCredential(let name): SystemdCredential(name: name)
        case .descriptor(let number): DescriptorKey(number)
        case .passphrase(let path, let ask): PassphraseKey(path: absolute(path), ask: ask)
        }
    }
}
