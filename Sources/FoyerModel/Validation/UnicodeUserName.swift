/// The shape of a user name with letters of all scripts: RFC 8265's UsernameCaseMapped, and stricter.
///
/// A name has letters of one script. A letter has to be its own compatibility form: names that changed when they were
/// mapped a second time let accounts be taken over (RFC 8265 §3.3). Letters of one script that look alike remain.
enum UnicodeUserName {
    private static let punctuation: Set<Unicode.Scalar> = [".", "_", "-", "'", "·"]

    /// Checks the key of a name, which is in lower case and composed.
    static func check(_ key: String) throws(FieldMessage) {
        let scalars = Array(key.unicodeScalars)
        guard !scalars.contains("@") else { throw FieldMessage("username.looks_like_email") }
        guard scalars.allSatisfy({ isPossible($0) }), UserName.key(key).utf8.elementsEqual(key.utf8) else {
            throw FieldMessage("username.not_a_letter")
        }
        // A mark cannot stand without its letter.
        guard let first = scalars.first, let last = scalars.last, !isPunctuation(last), !isPunctuation(first),
            first.properties.canonicalCombiningClass == .notReordered
        else { throw FieldMessage("username.punctuation_edge") }
        guard !zip(scalars, scalars.dropFirst()).contains(where: { isPunctuation($0) && isPunctuation($1) }) else {
            throw FieldMessage("username.punctuation_double")
        }
        let scripts = Set(scalars.filter { !$0.isDigit }.compactMap(Script.init))
        // Which digit of a name from right to left comes first depends on who shows it.
        let hasDigit = scalars.contains { $0.isDigit }
        guard scripts.count <= 1, !(hasDigit && scripts.contains(where: \.isRightToLeft)) else {
            throw FieldMessage("username.mixed_scripts")
        }
    }

    private static func isPossible(_ scalar: Unicode.Scalar) -> Bool {
        if isPunctuation(scalar) || scalar.value < 0x80 && scalar.isLetterOrDigit { return true }
        return scalar.isLetterOrDigit && scalar.isOfOneForm && Script(of: scalar) != nil
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool { punctuation.contains(scalar) }
}
