import FoyerCSodium
import FoyerModel

/// The device's key, sealed under a passphrase, as it lies in its file.
///
/// `version 1 | key id 8 | passes 4 | memory in KiB 4 | salt 16 | nonce 24 | ciphertext and tag 48`, numbers with the
/// highest byte first; all that stands before the ciphertext is bound into it.
struct WrappedKey {
    static let size = 105
    private static let version: UInt8 = 1
    private static let nonceStart = 33
    private static let sealedStart = 57

    private let bytes: [UInt8]

    /// - Throws: `unsafeKeyFile` when it is of another version, or asks for more work than any that we ask for.
    init(copying file: UnsafeRawBufferPointer) throws(StoreError) {
        bytes = Array(file)
        guard bytes.count == Self.size, bytes[0] == Self.version else {
            throw StoreError(.unsafeKeyFile, "The key file is not one that a passphrase opens; name the right one.")
        }
        guard work.isBearable else {
            throw StoreError(
                .unsafeKeyFile, "The key file asks for too much work before its passphrase can be tried; restore it.")
        }
    }

    /// Seals a key.
    init(_ key: DeviceKey, under wrapping: WrappingKey) {
        var head = [Self.version] + key.id
        for number in [wrapping.work.passes, wrapping.work.kibibytes] {
            head += withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
        }
        head += wrapping.salt
        var nonce = [UInt8](repeating: 0, count: Self.sealedStart - Self.nonceStart)
        randombytes_buf(&nonce, nonce.count)
        head += nonce
        var sealed = [UInt8](repeating: 0, count: Self.size - Self.sealedStart)
        wrapping.key.withBytes { wrappingKey in
            key.withBytes { plain in
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    &sealed, nil, plain, UInt64(DeviceKey.size), head, UInt64(head.count), nil, nonce, wrappingKey)
            }
        }
        bytes = head + sealed
    }

    /// The name of the key inside, which is no secret.
    var keyName: String { DeviceKey.name(of: Array(bytes[1..<9])) }
    var work: Argon2Parameters { Argon2Parameters(passes: number(at: 9), kibibytes: number(at: 13)) }
    var salt: [UInt8] { Array(bytes[17..<Self.nonceStart]) }

    private func number(at start: Int) -> Int {
        bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The key; nil when it was sealed under another passphrase, or changed since.
    func open(with wrapping: WrappingKey) throws(StoreError) -> DeviceKey? {
        guard wrapping.salt == salt, wrapping.work == work else { return nil }
        let head = Array(bytes[..<Self.sealedStart]), sealed = Array(bytes[Self.sealedStart...])
        var status: Int32 = -1
        let memory = try KeyMemory { plain in
            wrapping.key.withBytes { wrappingKey in
                status = crypto_aead_xchacha20poly1305_ietf_decrypt(
                    plain, nil, nil, sealed, UInt64(sealed.count), head, UInt64(head.count),
                    Array(head[Self.nonceStart...]), wrappingKey)
            }
        }
        guard status == 0 else { return nil }
        let key = try DeviceKey(memory)
        return key.name == keyName ? key : nil
    }

    func write(to file: KeyFile) throws(StoreError) {
        // Nothing in it is secret without the passphrase.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        try file.make(of: UnsafeRawBufferPointer(copy))
    }
}

/// What becomes of a passphrase with a certain salt.
struct WrappingKey: Sendable {
    let key: KeyMemory
    let salt: [UInt8]
    let work: Argon2Parameters

    /// Takes long; `derive` does it elsewhere.
    /// - Throws: `failed` when there is not enough memory for the work.
    init(from passphrase: Secret, salt: [UInt8], work: Argon2Parameters) throws(StoreError) {
        var status: Int32 = -1
        key = try KeyMemory { derived in
            status = passphrase.withCharacters { characters, count in
                crypto_pwhash(
                    derived, UInt64(KeyMemory.size), characters, UInt64(count), salt, UInt64(work.passes), work.bytes,
                    crypto_pwhash_ALG_ARGON2ID13)
            }
        }
        guard status == 0 else { throw work.outOfMemory }
        self.salt = salt
        self.work = work
    }

    static func derive(
        from passphrase: Secret, salt: [UInt8], work: Argon2Parameters
    ) async throws(StoreError) -> WrappingKey {
        let result = await SlowWork.run { () -> Result<WrappingKey, StoreError> in
            do throws(StoreError) {
                return .success(try WrappingKey(from: passphrase, salt: salt, work: work))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    static func freshSalt() throws(StoreError) -> [UInt8] {
        guard sodium_init() >= 0 else { throw StoreError(.failed, "The cryptographic library could not be started.") }
        var salt = [UInt8](repeating: 0, count: 16)
        randombytes_buf(&salt, salt.count)
        return salt
    }
}
