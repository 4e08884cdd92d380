import FoyerPlatform

/// A server's public key, to which secrets are sealed as soon as they are entered: this device cannot open them again.
///
/// It has to come from the app or its configuration, never from the database, whose writer could put a key of their own.
public struct SealingKey: Sendable, Equatable {
    /// Whom a box is for.
    public let audience: String
    /// What the server calls the key.
    public let id: String
    /// The 32 bytes of the key (X25519).
    public let publicKey: [UInt8]

    /// Reads the key as the server publishes it at `GET /v1/sealing-key`; nil for anything else.
    public init?(json: [UInt8]) {
        struct Published: Decodable {
            let schema: Int
            let algorithm: String
            let aud: String
            let key_id: String
            let public_key: Data
        }
        guard json.withUnsafeBufferPointer(JSONSyntax.isUnambiguous),
            let key = try? JSONDecoder().decode(Published.self, from: Data(json)), key.schema == 1,
            key.algorithm == "crypto_box_seal", key.public_key.count == 32, !key.aud.isEmpty, !key.key_id.isEmpty,
            !key.key_id.utf8.contains(0)
        else { return nil }
        (audience, id, publicKey) = (key.aud, key.key_id, Array(key.public_key))
    }
}
