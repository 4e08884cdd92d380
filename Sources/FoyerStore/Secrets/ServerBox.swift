import FoyerCSodium
import FoyerModel

/// A secret, sealed for the server alone (`crypto_box_seal`), together with what it is bound to.
enum ServerBox {
    /// - Throws: `failed` where nothing can be sealed to the key.
    static func seal(
        _ secret: Secret, to key: SealingKey, flow: UUIDv7, field: String, at now: Timestamp
    ) throws(StoreError) -> Secret {
        let content = SealedContent(
            audience: key.audience, flowID: flow, field: field, issuedAt: now, secret: secret
        ).plain
        var box = [UInt8](repeating: 0, count: content.withBytes(\.count) + crypto_box_sealbytes())
        guard sodium_init() >= 0, key.publicKey.count == crypto_box_publickeybytes(),
            content.withBytes({ crypto_box_seal(&box, $0.baseAddress, UInt64($0.count), key.publicKey) }) == 0
        else {
            throw StoreError(.failed, "The server's sealing key \(key.id) is not one; get the right one.")
        }
        return Secret(box: box, sealedTo: key.id)
    }
}
