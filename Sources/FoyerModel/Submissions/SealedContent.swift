/// What lies in a box that is sealed for the server: a secret, and what it was sealed for.
///
/// The box is `crypto_box_seal` (libsodium) over these bytes under the server's package key, in Base64 with padding. It
/// stands in the body as `{"mode":"server","key_id":"…","box":"…"}`. The bytes are, byte for byte:
///
///     1                     the version, one byte
///     n  aud                whom it is for: `aud` of the server's key
///     n  flow_id            the flow in which it was entered: a UUID in lower case
///     n  field              the member of `secrets` that it stands in, such as `password`
///     n  issued_at          when it was sealed: `2026-11-21T06:54:02.123Z`
///     n  secret             the text, prepared as for mode `plain`
///     0x80 0x00 …           up to a multiple of 256 bytes, so that a box does not tell the secret's length
///
/// where `n` is the length in bytes of what follows it, as four bytes, the highest first; texts are UTF-8.
///
/// A sealed box has no sender and no associated data. So what it is bound to stands inside, and the server compares it.
package struct SealedContent: Sendable {
    /// Whom it is for.
    package let audience: String
    /// The flow in which it was entered.
    package let flowID: UUIDv7
    /// The wire's name of the field.
    package let field: String
    /// When it was sealed.
    package let issuedAt: Timestamp
    /// The secret itself.
    package let secret: Secret

    private static let version: UInt8 = 1
    private static let blockSize = 256

    /// Makes the value.
    package init(audience: String, flowID: UUIDv7, field: String, issuedAt: Timestamp, secret: Secret) {
        self.audience = audience
        self.flowID = flowID
        self.field = field
        self.issuedAt = issuedAt
        self.secret = secret
    }

    /// The bytes to be sealed.
    package var plain: Secret {
        var plain = SecretBytes(capacity: 2 * Self.blockSize)
        plain.append(Self.version)
        for text in [audience, flowID.text, field, issuedAt.description] { plain.append(prefixedByLength(text)) }
        secret.withBytes { bytes in
            plain.append(lengthPrefix(bytes.count))
            plain.append(bytes)
        }
        plain.pad(to: Self.blockSize)
        return Secret(plain)
    }

    /// Reads the bytes of an opened box; nil when they have another form.
    package init?(plain: Secret) {
        guard let content = plain.withBytes(Self.init(bytes:)) else { return nil }
        self = content
    }

    private init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: Self.blockSize), bytes[0] == Self.version else { return nil }
        var rest = bytes[1...]
        func part() -> Slice<UnsafeBufferPointer<UInt8>>? {
            guard rest.count >= 4 else { return nil }
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func text() -> String? { part().flatMap { String(validating: $0, as: UTF8.self) } }
        guard let audience = text(), let flowID = text().flatMap({ UUIDv7($0) }), let field = text(),
            let issuedAt = text().flatMap({ Timestamp($0) }), let secret = part(),
            UnsafeBufferPointer(rebasing: secret).isUTF8, rest.first == 0x80,
            rest.dropFirst().allSatisfy({ $0 == 0 }), rest.count <= Self.blockSize
        else { return nil }
        self.init(
            audience: audience, flowID: flowID, field: field, issuedAt: issuedAt, secret: Secret(utf8: secret))
    }
}

extension SecretBytes {
    /// Adds the padding of ISO/IEC 7816-4, as `sodium_pad` does: the bytes do not tell by their number what they hold.
    package mutating func pad(to blockSize: Int) {
        append(0x80)
        append(repeatElement(0, count: (blockSize - count % blockSize) % blockSize))
    }
}

/// A length in four bytes, the highest first: what stands before each part of what is sealed or signed.
package func lengthPrefix(_ count: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: count).bigEndian) { Array($0) }
}

/// A text in UTF-8 after its length.
package func prefixedByLength(_ text: String) -> [UInt8] {
    lengthPrefix(text.utf8.count) + Array(text.utf8)
}
