import FoyerCSodium

/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
    /// The text of some bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        // With the zero byte at the end.
        let size = sodium_base64_encoded_len(bytes.count, sodium_base64_VARIANT_ORIGINAL)
        return String(unsafeUninitializedCapacity: size) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return 0 }
                sodium_bin2base64(start, size, bytes, bytes.count, sodium_base64_VARIANT_ORIGINAL)
                return size - 1
            }
        }
    }

    /// The bytes of a text; nil for any other text.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let characters = text.utf8.map(CChar.init(bitPattern:))
        var bytes = [UInt8](repeating: 0, count: characters.count / 4 * 3)
        var count = 0
        let status = sodium_base642bin(
            &bytes, bytes.count, characters, characters.count, nil, &count, nil, sodium_base64_VARIANT_ORIGINAL)
        return status == 0 ? Array(bytes.prefix(count)) : nil
    }
}
