/// The kinds of code points that no field accepts, because they hide, reorder or break what is stored.
///
/// General categories and properties are those of the running standard library's Unicode version, so what is
/// `unassigned` may change with an update: apply this when a value is created, never to an existing password.
enum ForbiddenScalar: String, CaseIterable {
    case control
    case bidi
    case noncharacter
    case replacement
    case lineSeparator = "line_separator"
    case unassigned
    case privateUse = "private_use"
    /// Default-ignorable code points (Unicode, DerivedCoreProperties): they are not shown and cannot be retyped.
    case invisible

    /// The kind of the first forbidden code point, or nil; `allowed` names exceptions of one field.
    static func first(
        in scalars: some Sequence<Unicode.Scalar>, allowing allowed: Set<Unicode.Scalar> = []
    ) -> ForbiddenScalar? {
        for scalar in scalars where !allowed.contains(scalar) {
            if let kind = ForbiddenScalar(scalar) { return kind }
        }
        return nil
    }

    /// The kind of one code point, or nil if it is harmless.
    init?(_ scalar: Unicode.Scalar) {
        if (" "..."~").contains(scalar) { return nil }  // printable ASCII needs no table lookup
        let properties = scalar.properties
        let kind: ForbiddenScalar? =
            switch properties.generalCategory {
            case .control: .control
            case _ where properties.isBidiControl: .bidi
            case _ where properties.isNoncharacterCodePoint: .noncharacter
            case _ where scalar == "\u{FFFD}": .replacement
            case .lineSeparator, .paragraphSeparator: .lineSeparator
            case .unassigned: .unassigned
            case .privateUse: .privateUse
            case _ where properties.isDefaultIgnorableCodePoint: .invisible
            default: nil
            }
        guard let kind else { return nil }
        self = kind
    }
}
