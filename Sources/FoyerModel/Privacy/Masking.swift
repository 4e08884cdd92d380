/// Hides personal data from somebody who looks over a shoulder or reads a log: enough stays to recognise one's own.
package enum Masking {
    /// `ada@example.org` becomes `a…@e….org`; a name becomes its first letter.
    package static func masked(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else { return short(text) }
        let domain = text[text.index(after: at)...]
        let ending = domain.lastIndex(of: ".").map { domain[$0...] } ?? ""
        return "\(short(String(text[..<at])))@\(short(String(domain)))\(ending)"
    }

    private static func short(_ text: String) -> String {
        text.prefix(1) + "…"
    }
}
