/// The code points of UTF-8 bytes, without a `String` of them; as there, what is not UTF-8 reads as U+FFFD.
struct UTF8Scalars: Sequence, IteratorProtocol {
    private var bytes: UnsafeBufferPointer<UInt8>.Iterator
    private var parser = Unicode.UTF8.ForwardParser()

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes.makeIterator()
    }

    mutating func next() -> Unicode.Scalar? {
        switch parser.parseScalar(from: &bytes) {
        case .valid(let encoded): Unicode.UTF8.decode(encoded)
        case .error: "\u{FFFD}"
        case .emptyInput: nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// How many bytes the first characters take, as a person counts them; nil where there are fewer.
    package func size(ofCharacters count: Int) -> Int? {
        guard #available(macOS 26, iOS 26, *), let text = try? UTF8Span(validating: span) else {
            let text = String(decoding: self, as: UTF8.self)
            return text.count < count ? nil : text.prefix(count).utf8.count
        }
        var characters = text.makeCharacterIterator()
        return characters.skipForward(by: count) == count ? characters.currentCodeUnitOffset : nil
    }

    /// Whether every byte belongs to a code point.
    package var isUTF8: Bool {
        var bytes = makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid: continue
            case .error: return false
            case .emptyInput: return true
            }
        }
    }
}

extension SecretBytes {
    /// Adds a code point in UTF-8.
    mutating func append(_ scalar: Unicode.Scalar) {
        append(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Adds code points in Normalization Form C (UAX #15).
    ///
    /// The standard library composes texts only. So one is made of every code point beyond ASCII together with what
    /// may be joined to it: of a character, never of the secret.
    mutating func append(composing scalars: some Sequence<Unicode.Scalar>) {
        var character = String.UnicodeScalarView()
        for scalar in scalars {
            if !scalar.mayJoin {
                append(composing: character)
                character.removeAll(keepingCapacity: true)
            }
            character.append(scalar)
        }
        append(composing: character)
    }

    private mutating func append(composing character: String.UnicodeScalarView) {
        if let scalar = character.first, scalar.isASCII, character.count == 1 { return append(scalar) }
        append(String(character).canonicallyComposed.utf8)
    }
}

extension Unicode.Scalar {
    /// Whether NFC may join this to what stands before it, or change their order: marks, and the vowels and finals of
    /// Hangul and Kirat Rai. That these are all is checked by a test, for the running library's Unicode version.
    var mayJoin: Bool {
        if isASCII { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default:
            return properties.canonicalCombiningClass != .notReordered || (0x1160...0x11FF).contains(value)
                || (0x16D63...0x16D6A).contains(value)
        }
    }
}

/// How a text is compared with a secret.
package enum SecretText {
    /// The text as a password is prepared, and the same without white space at its ends, as a readable answer is kept.
    package static func forms(of text: String) -> [String] {
        let prepared = FieldText.unifyingSpaces(text).canonicallyComposed
        guard let trimmed = try? FieldText.trimmed(prepared), trimmed != prepared else { return [prepared] }
        return [prepared, trimmed]
    }
}
