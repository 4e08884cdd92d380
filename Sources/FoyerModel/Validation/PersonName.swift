/// The rules of a first or last name, which are few, because names are as their bearers write them.
///
/// No capitals are set and nothing is split; apostrophes, digits and markup are stored literally, and it is the
/// job of SQL binding and of escaping on output to keep them harmless.
public enum PersonName {
    private static let sizeCap = 2_048
    private static let maximum = 100
    private static let marksInARow = 8
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]  // Persian and Indic spelling

    /// The name as it is stored: trimmed, each run of spaces as one space, in NFC.
    public static func normalized(_ text: String) throws(FieldMessage) -> String {
        guard text.utf8.count <= sizeCap else { throw tooLong }
        let trimmed = try FieldText.trimmed(text)
        if let kind = ForbiddenScalar.first(in: trimmed.unicodeScalars, allowing: joiners) {
            throw FieldMessage("name.forbidden_character", ["kind": kind.rawValue])
        }
        let name = FieldText.unifyingSpaces(trimmed, collapsing: true).canonicallyComposed
        let scalars = name.unicodeScalars
        guard scalars.count <= maximum else { throw tooLong }
        guard scalars.contains(where: \.properties.isAlphabetic) else { throw FieldMessage("name.no_letter") }
        guard longestRunOfMarks(in: scalars) <= marksInARow else {
            throw FieldMessage("name.too_many_marks", ["max": "\(marksInARow)"])
        }
        return name
    }

    private static var tooLong: FieldMessage { FieldMessage("name.too_long", ["max": "\(maximum)"]) }

    private static func longestRunOfMarks(in scalars: String.UnicodeScalarView) -> Int {
        scalars.split(omittingEmptySubsequences: true) { !$0.isMark }.map(\.count).max() ?? 0
    }
}

extension Unicode.Scalar {
    /// Whether this is a combining mark (general category M).
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
