import FoyerCSodium
import FoyerModel

/// The key of this device, and those that are derived from it.
final class DeviceKey: Sendable {
    static let size = KeyMemory.size

    private let memory: KeyMemory
    /// The first 8 bytes of a hash of the key: names it without telling it.
    let id: [UInt8]
    /// The identifier as it stands in `secrets.key_id`.
    let name: String
    /// The key under which fields are sealed.
    private let fieldKey: KeyMemory
    /// The key under which submissions are signed.
    private let signingKey: KeyMemory

    init(_ memory: KeyMemory) throws(StoreError) {
        self.memory = memory
        fieldKey = try Self.derive(1, from: memory)
        signingKey = try Self.derive(2, from: memory)
        var hash = [UInt8](repeating: 0, count: 16)
        let purpose = Array("foyer/key-id".utf8)
        memory.withBytes { key in
            _ = crypto_generichash(&hash, hash.count, purpose, UInt64(purpose.count), key, Self.size)
        }
        id = Array(hash.prefix(8))
        name = Self.name(of: id)
    }

    /// A key of those bytes, of which there have to be `size`.
    convenience init(copying bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try self.init(KeyMemory { for (place, byte) in bytes.prefix(Self.size).enumerated() { $0[place] = byte } })
    }

    /// A fresh key.
    static func random() throws(StoreError) -> DeviceKey {
        try DeviceKey(KeyMemory { randombytes_buf($0, Self.size) })
    }

    private static func derive(_ number: UInt64, from key: KeyMemory) throws(StoreError) -> KeyMemory {
        try KeyMemory { derived in
            key.withBytes {
                _ = crypto_kdf_derive_from_key(derived, Self.size, number, "foyerkey", $0)
            }
        }
    }

    static func name(of id: [UInt8]) -> String {
        id.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Lends the key itself to what puts it into a file.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try memory.withBytes(body)
    }

    func withFieldKey<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        fieldKey.withBytes(body)
    }

    /// What only somebody with this key can make of these bytes.
    func signature(of bytes: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 32)
        signingKey.withBytes { key in
            _ = crypto_generichash(&signature, signature.count, bytes, UInt64(bytes.count), key, Self.size)
        }
        return signature
    }
}

/// The bytes of a key, in memory that is kept out of swap and core files and wiped when it is freed.
///
/// `@unchecked Sendable`: the memory is written once, in `init`, and only read afterwards.
final class KeyMemory: @unchecked Sendable {
    static let size = 32

    private let memory: UnsafeMutablePointer<UInt8>

    init(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) throws(StoreError) {
        guard sodium_init() >= 0, let memory = sodium_malloc(Self.size) else {
            throw StoreError(.failed, "No protected memory could be had for a key.")
        }
        self.memory = memory.assumingMemoryBound(to: UInt8.self)
        fill(self.memory)
    }

    deinit { sodium_free(memory) }

    func withBytes<Result, Failure: Error>(
        _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafePointer(memory))
    }
}
