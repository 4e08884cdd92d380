/// How many columns of a terminal a text takes, at the most.
///
/// By the text alone and not by `wcwidth`, which knows what the locale knows: nothing where it is `C`.
enum DisplayWidth {
    /// The columns of a text that a terminal shows on one row.
    static func of(_ text: some Sequence<Character>) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// The most columns that a terminal takes for one character: some draw the parts of an emoji side by side.
    static func of(_ character: Character) -> Int {
        let width = character.unicodeScalars.reduce(0) { $0 + of($1) }
        // This selector asks for a picture, which is wide.
        return character.unicodeScalars.contains("\u{FE0F}") ? max(2, width) : width
    }

    /// As much of the beginning as fits.
    static func prefix(_ text: String, _ width: Int) -> String {
        var left = width
        return String(
            text.prefix { character in
                left -= of(character)
                return left >= 0
            })
    }

    /// The text, or its beginning with an ellipsis, in at most that many columns.
    static func fitted(_ text: String, _ width: Int, _ ellipsis: String) -> String {
        guard of(text) > width else { return text }
        return prefix(text, max(0, width - of(ellipsis))) + prefix(ellipsis, width)
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return scalar.value < 0x20 ? 0 : 1 }
        if isWide(scalar.value) { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        // The vowels and finals of a Hangul syllable stand in the columns of its first consonant.
        default: return (0x1160...0x11FF).contains(scalar.value) ? 0 : scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    /// The blocks of East Asian writing that takes two columns; what is wide elsewhere is emoji.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x2FFF, 0x3001...0x3029, 0x3030...0x303E, 0x3041...0x3098, 0x309B...0x33FF,
            0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_7000...0x1_8CFF, 0x1_AFF0...0x1_B2FF,
            0x1_F200...0x1_F265, 0x2_0000...0x3_FFFD:
            true
        default: value == 0x3000
        }
    }
}

extension String {
    /// The text in lines of at most so many columns, each with the spaces that the first begins with.
    ///
    /// A word that is longer than a line stays whole.
    func wrapped(to columns: Int) -> String {
        let indent = String(prefix { $0 == " " })
        var lines: [String] = []
        var line = indent, isNew = true
        for word in dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
            if !isNew, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > columns, !word.isEmpty {
                while line.last == " " { line.removeLast() }
                lines.append(line)
                (line, isNew) = (indent, true)
            }
            line += isNew ? String(word) : " \(word)"
            isNew = false
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
