import FoyerCSodium

/// Tells whether a text is a secret that is not in memory any more: a keyed hash (BLAKE2b, RFC 7693) under a key of this
/// process, which nothing outside of it can compare with anything.
struct SecretFingerprint: Sendable {
    private static let size = Int(crypto_generichash_BYTES)
    private static let key: [UInt8] = {
        var key = [UInt8](repeating: 0, count: Int(crypto_generichash_KEYBYTES))
        randombytes_buf(&key, key.count)
        return key
    }()

    private let hash: [UInt8]

    init(_ secret: Secret) {
        hash = secret.withBytes { Self.hash(of: $0) }
    }

    /// Whether the text is that secret, byte for byte.
    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { Self.hash(of: $0) } == hash
    }

    private static func hash(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: size)
        _ = crypto_generichash(&hash, size, bytes.baseAddress, UInt64(bytes.count), key, key.count)
        return hash
    }
}
