import CSodium
import FoyerModel

/// The key of this device, in memory that is kept out of swap and core files and wiped when it is freed.
///
/// `@unchecked Sendable`: the memory is written once, in `init`, and only read afterwards.
final class DeviceKey: @unchecked Sendable {
    static let size = 32

    private let memory: UnsafeMutableRawPointer
    /// The first 8 bytes of a hash of the key: names it without telling it.
    let id: [UInt8]
    /// The key under which fields are sealed, derived from the device's key.
    private let fieldKey: UnsafeMutableRawPointer
    /// The key under which submissions are signed, derived in the same way.
    private let signingKey: UnsafeMutableRawPointer

    init(copying bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard sodium_init() >= 0, let memory = sodium_malloc(Self.size), let fieldKey = sodium_malloc(Self.size),
            let signingKey = sodium_malloc(Self.size)
        else {
            throw StoreError(.failed, "No protected memory could be had for the device's key.")
        }
        self.memory = memory
        self.fieldKey = fieldKey
        self.signingKey = signingKey
        memory.copyMemory(from: bytes.baseAddress ?? UnsafeRawPointer(memory), byteCount: min(bytes.count, Self.size))
        let key = memory.assumingMemoryBound(to: UInt8.self)
        crypto_kdf_derive_from_key(
            fieldKey.assumingMemoryBound(to: UInt8.self), Self.size, 1, "foyerkey", key)
        crypto_kdf_derive_from_key(
            signingKey.assumingMemoryBound(to: UInt8.self), Self.size, 2, "foyerkey", key)
        var hash = [UInt8](repeating: 0, count: 16)
        let purpose = Array("foyer/key-id".utf8)
        crypto_generichash(&hash, hash.count, purpose, UInt64(purpose.count), key, Self.size)
        id = Array(hash.prefix(8))
    }

    deinit {
        sodium_free(memory)
        sodium_free(fieldKey)
        sodium_free(signingKey)
    }

    /// The identifier as it stands in `secrets.key_id`.
    var name: String {
        id.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func withFieldKey<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        body(UnsafePointer(fieldKey.assumingMemoryBound(to: UInt8.self)))
    }

    /// What only somebody with this key can make of these bytes.
    func signature(of bytes: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 32)
        crypto_generichash(
            &signature, signature.count, bytes, UInt64(bytes.count), signingKey.assumingMemoryBound(to: UInt8.self),
            Self.size)
        return signature
    }
}
