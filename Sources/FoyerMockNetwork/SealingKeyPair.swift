import FoyerCSodium
import FoyerModel
import FoyerSQLite

/// The server's key pair, to which a client seals a secret that it cannot open again itself.
struct SealingKeyPair: Sendable {
    /// Whom a box has to be for.
    static let audience = "foyer-mock-network"

    /// Names the key: the first 8 bytes of a hash of the public one, in hexadecimal.
    let id: String
    let publicKey: [UInt8]
    private let secretKey: Secret

    private init(publicKey: [UInt8], secretKey: Secret) {
        self.publicKey = publicKey
        self.secretKey = secretKey
        id = String(Hash.hexadecimal(of: publicKey).prefix(16))
    }

    /// The key of this file, which is made with it.
    static func load(from database: Database, at now: Timestamp) async throws -> SealingKeyPair {
        guard sodium_init() >= 0 else { throw PasswordHashing.OutOfMemory() }
        if let key = try await database.read({ try stored(in: $0) }) { return key }
        return try await database.write { db in
            // Another process may have been faster.
            if let key = try stored(in: db) { return key }
            var publicKey = [UInt8](repeating: 0, count: crypto_box_publickeybytes())
            var secretKey = [UInt8](repeating: 0, count: crypto_box_secretkeybytes())
            crypto_box_keypair(&publicKey, &secretKey)
            defer { sodium_memzero(&secretKey, secretKey.count) }
            let key = SealingKeyPair(publicKey: publicKey, secretKey: Secret(utf8: secretKey))
            try db.run(
                "INSERT INTO sealing_keys (id, public_key, secret_key, created_at) VALUES (?, ?, ?, ?)",
                key.id, publicKey, secretKey, now.description)
            return key
        }
    }

    private static func stored(in db: Connection) throws -> SealingKeyPair? {
        try db.first("SELECT public_key, secret_key FROM sealing_keys ORDER BY created_at DESC") { row in
            SealingKeyPair(publicKey: try row.blob(0), secretKey: Secret(utf8: try row.blob(1)))
        }
    }

    /// What is in the box; nil when it was not sealed to this key, or is none.
    func open(_ box: [UInt8]) -> SealedContent? {
        guard box.count > crypto_box_sealbytes() else { return nil }
        let plain = SecretBytes(zeros: box.count - crypto_box_sealbytes()) { plain in
            let isOpen = secretKey.withBytes { key in
                key.baseAddress.map {
                    crypto_box_seal_open(plain.baseAddress, box, UInt64(box.count), publicKey, $0) == 0
                } ?? false
            }
            return isOpen ? plain.count : 0
        }
        return SealedContent(plain: Secret(plain))
    }
}

/// BLAKE2b with 32 bytes.
enum Hash {
    static func hexadecimal(of bytes: [UInt8]) -> String {
        var hash = [UInt8](repeating: 0, count: 32)
        crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        return hash.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
