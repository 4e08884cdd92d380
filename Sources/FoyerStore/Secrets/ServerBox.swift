import CSodium
import FoyerModel

/// A secret, sealed for the server alone (`crypto_box_seal`), together with what it is bound to.
///
/// A sealed box has no associated data, so all of that stands inside, and the server compares it: the version 1, then
/// audience, flow, wire name of the field, time and secret, each after its length in four bytes, the highest first; then
/// the padding to a multiple of 256 bytes.
enum ServerBox {
    private static let version: UInt8 = 1
    private static let blockSize = 256

    /// - Throws: `failed` where nothing can be sealed to the key.
    static func seal(
        _ secret: Secret, to key: SealingKey, flow: UUIDv7, field: String, at now: Timestamp
    ) throws(StoreError) -> Secret {
        // Room for all of it from the start: an array that grows would leave copies of the secret behind.
        var plain: [UInt8] = []
        plain.reserveCapacity(
            secret.withBytes { $0.count } + key.audience.utf8.count + field.utf8.count + 2 * blockSize)
        defer { sodium_memzero(&plain, plain.count) }
        plain.append(version)
        for text in [key.audience, flow.text, field, now.description] { append(Array(text.utf8), to: &plain) }
        secret.withBytes { append($0, to: &plain) }
        plain.append(0x80)
        plain.append(contentsOf: repeatElement(0, count: (blockSize - plain.count % blockSize) % blockSize))

        var box = [UInt8](repeating: 0, count: plain.count + crypto_box_sealbytes())
        guard sodium_init() >= 0, key.publicKey.count == crypto_box_publickeybytes(),
            crypto_box_seal(&box, plain, UInt64(plain.count), key.publicKey) == 0
        else {
            throw StoreError(.failed, "The server's sealing key \(key.id) is not one; get the right one.")
        }
        return Secret(box: box, sealedTo: key.id)
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        bytes += bigEndian(UInt32(truncatingIfNeeded: part.count))
        bytes += part
    }
}
