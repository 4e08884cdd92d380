/// The writing systems that user names can have, by their ranges of code points.
///
/// The standard library has no property for scripts. What is in no range belongs to none of them, and is refused.
enum Script {
    case latin, greek, cyrillic, armenian, hebrew, arabic, devanagari, bengali, gurmukhi, gujarati, tamil, telugu
    case kannada, malayalam, thai, lao, georgian, hangul, ethiopic, khmer
    /// Chinese characters and both kana, which Japanese mixes.
    case eastAsian

    /// Whether it is written from right to left.
    var isRightToLeft: Bool { self == .hebrew || self == .arabic }

    init?(of scalar: Unicode.Scalar) {
        guard let range = Self.ranges.first(where: { $0.0.contains(scalar.value) }) else { return nil }
        self = range.1
    }

    private static let ranges: [(ClosedRange<UInt32>, Script)] = [
        (0x41...0x7A, .latin), (0xC0...0x24F, .latin), (0x1E00...0x1EFF, .latin), (0x370...0x3FF, .greek),
        (0x1F00...0x1FFF, .greek), (0x400...0x52F, .cyrillic), (0x530...0x58F, .armenian), (0x590...0x5FF, .hebrew),
        (0x600...0x6FF, .arabic), (0x750...0x77F, .arabic), (0x900...0x97F, .devanagari), (0x980...0x9FF, .bengali),
        (0xA00...0xA7F, .gurmukhi), (0xA80...0xAFF, .gujarati), (0xB80...0xBFF, .tamil), (0xC00...0xC7F, .telugu),
        (0xC80...0xCFF, .kannada), (0xD00...0xD7F, .malayalam), (0xE00...0xE7F, .thai), (0xE80...0xEFF, .lao),
        (0x10A0...0x10FF, .georgian), (0x1200...0x137F, .ethiopic), (0x1780...0x17FF, .khmer),
        (0x3005...0x3007, .eastAsian), (0x3041...0x3096, .eastAsian), (0x309D...0x309E, .eastAsian),
        (0x30A1...0x30FA, .eastAsian), (0x30FC...0x30FE, .eastAsian), (0x3400...0x4DBF, .eastAsian),
        (0x4E00...0x9FFF, .eastAsian), (0xAC00...0xD7A3, .hangul),
    ]
}

extension Unicode.Scalar {
    /// Whether this is a letter, a mark of one, or a digit (general categories L, M and Nd).
    var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }

    var isDigit: Bool { properties.generalCategory == .decimalNumber }

    /// Whether its lower case is what compatibility mappings and case folding leave alone: no ligature, no raised
    /// letter, no full-width form. The sharp s and the final sigma change by folding only, and are letters all the same.
    var isOfOneForm: Bool {
        properties.lowercaseMapping.unicodeScalars.allSatisfy {
            !$0.properties.changesWhenNFKCCaseFolded || $0 == "ß" || $0 == "ς"
        }
    }
}
