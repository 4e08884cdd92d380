import FoyerCSodium
import FoyerModel

/// A secret, sealed with XChaCha20-Poly1305 under the device's key and bound to the place where it lies.
///
/// `version 1 | content 1 | key id 8 | nonce 24 | ciphertext and tag`; the plain text is padded to a multiple of 256
/// bytes, so that the box does not tell its length. The content is 1 for a text; 2 for a box that only the server can
/// open, after the name of the server's key and a zero byte.
enum SealedBox {
    private static let version: UInt8 = 1
    private static let text: UInt8 = 1
    private static let serverBox: UInt8 = 2
    private static let blockSize = 256

    /// Where a box lies: the same bytes in another place do not open.
    struct Place {
        let store: String
        let table: String
        let column: String
        let row: String
        let version: Int64

        fileprivate func associatedData(header: [UInt8], keyID: [UInt8]) -> [UInt8] {
            var data = Array("foyer/1".utf8)
            for part in [store, table, column, row] {
                data += prefixedByLength(part)
            }
            return data + withUnsafeBytes(of: version.bigEndian) { Array($0) } + header + keyID
        }
    }

    static func seal(_ secret: Secret, under key: DeviceKey, at place: Place) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: crypto_aead_xchacha20poly1305_ietf_npubbytes())
        randombytes_buf(&nonce, nonce.count)
        let header = [version, secret.form == .text ? text : serverBox]
        let plain = padded(secret)
        let associated = place.associatedData(header: header, keyID: key.id)
        var sealed = [UInt8](repeating: 0, count: plain.count + crypto_aead_xchacha20poly1305_ietf_abytes())
        plain.withBytes { bytes in
            key.withFieldKey { fieldKey in
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    &sealed, nil, bytes.baseAddress, UInt64(bytes.count), associated, UInt64(associated.count), nil,
                    nonce, fieldKey)
            }
        }
        return header + key.id + nonce + sealed
    }

    /// - Throws: `wrongKey` when it was sealed under another key, `tampered` when it is not what was written here.
    static func open(_ box: [UInt8], with key: DeviceKey, at place: Place) throws(StoreError) -> Secret {
        let parts = try Parts(box, key, at: place)
        let plain = SecretBytes(zeros: parts.plainCount) { bytes in
            parts.decrypt(into: bytes.baseAddress, with: key, at: place) ? bytes.count : 0
        }
        guard let secret = plain.withBytes({ unpadded($0, isBox: box[1] == serverBox) }) else {
            throw tampered(place)
        }
        return secret
    }

    /// Whether `open` would open it; nothing is decrypted for that.
    static func opens(_ box: [UInt8], with key: DeviceKey, at place: Place) -> Bool {
        guard let parts = try? Parts(box, key, at: place) else { return false }
        return parts.decrypt(into: nil, with: key, at: place)
    }

    /// Whether `open` would give one of these texts.
    static func isText(_ box: [UInt8], among texts: [String], with key: DeviceKey, at place: Place) -> Bool {
        guard box.count > 1, box[1] == text, let parts = try? Parts(box, key, at: place) else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: parts.plainCount) { plain in
            defer { sodium_memzero(plain.baseAddress, plain.count) }
            guard parts.decrypt(into: plain.baseAddress, with: key, at: place),
                let end = plain.lastIndex(of: 0x80)
            else { return false }
            return texts.contains { plain[..<end].elementsEqual($0.utf8) }
        }
    }

    /// A box, taken apart.
    private struct Parts {
        private let header: [UInt8]
        private let nonce: [UInt8]
        private let sealed: [UInt8]

        var plainCount: Int { sealed.count - crypto_aead_xchacha20poly1305_ietf_abytes() }

        /// - Throws: `wrongKey` when it was sealed under another key, `tampered` when it is no box.
        init(_ box: [UInt8], _ key: DeviceKey, at place: Place) throws(StoreError) {
            header = Array(box.prefix(2))
            let nonceStart = header.count + key.id.count
            let start = nonceStart + crypto_aead_xchacha20poly1305_ietf_npubbytes()
            guard box.count >= start + crypto_aead_xchacha20poly1305_ietf_abytes() + blockSize,
                [[version, text], [version, serverBox]].contains(header)
            else { throw tampered(place) }
            guard box[header.count..<nonceStart].elementsEqual(key.id) else {
                throw StoreError(
                    .wrongKey, "A secret was sealed under another key; bring back the key file that was in use then.")
            }
            (nonce, sealed) = (Array(box[nonceStart..<start]), Array(box[start...]))
        }

        /// Whether it is what was written in this place; with no memory to write to that is all that is done.
        func decrypt(into plain: UnsafeMutablePointer<UInt8>?, with key: DeviceKey, at place: Place) -> Bool {
            let associated = place.associatedData(header: header, keyID: key.id)
            return key.withFieldKey { fieldKey in
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    plain, nil, nil, sealed, UInt64(sealed.count), associated, UInt64(associated.count), nonce,
                    fieldKey)
            } == 0
        }
    }

    private static func tampered(_ place: Place) -> StoreError {
        StoreError(.tampered, tamperedMessage(in: place))
    }

    static func tamperedMessage(in place: Place) -> String {
        "A sealed value in the table \(place.table) is not the one that was written there; give it up where it "
            + "waits, else answer that step again."
    }

    private static func padded(_ secret: Secret) -> SecretBytes {
        var plain = SecretBytes(capacity: 2 * blockSize)
        if case .sealed(let keyID) = secret.form {
            plain.append(keyID.utf8)
            plain.append(0)
        }
        secret.withBytes { plain.append($0) }
        plain.pad(to: blockSize)
        return plain
    }

    private static func unpadded(_ plain: UnsafeBufferPointer<UInt8>, isBox: Bool) -> Secret? {
        guard let end = plain.lastIndex(of: 0x80) else { return nil }
        guard isBox else { return Secret(utf8: plain[..<end]) }
        guard let zero = plain.firstIndex(of: 0), zero < end else { return nil }
        return Secret(box: plain[(zero + 1)..<end], sealedTo: String(decoding: plain[..<zero], as: UTF8.self))
    }
}
