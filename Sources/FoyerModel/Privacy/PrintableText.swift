/// Texts that a terminal shows and does not act on.
package enum PrintableText {
    /// Controls, line ends included, and marks that turn the writing direction become `\\u{1B}` and the like.
    package static func escaped(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
        replacing(text) { kept.contains($0) ? nil : "\\u{\(hex($0))}" }
    }

    /// The same in finished JSON, where such a character can only stand inside a string: it becomes `\\u009B`.
    package static func escapedJSON(_ json: String) -> String {
        replacing(json) { "\\u" + String(repeating: "0", count: 4 - hex($0).count) + hex($0) }
    }

    private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        guard text.unicodeScalars.contains(where: isActive) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isActive(scalar), let replacement = replacement(scalar) {
                result.append(contentsOf: replacement.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        // Marks that turn the writing direction.
        case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x61C: true
        default: false
        }
    }

    private static func hex(_ scalar: Unicode.Scalar) -> String {
        String(scalar.value, radix: 16, uppercase: true)
    }
}
