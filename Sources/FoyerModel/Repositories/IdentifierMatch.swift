/// How much of an identifier is enough to find what it names.
///
/// An ending that two identifiers share finds neither of them.
package enum IdentifierMatch: Hashable, Sendable {
    /// Nothing but the whole identifier: right for what destroys, where nobody is there to be asked.
    case whole
    /// The whole identifier, or an ending of it with at least so many characters.
    case ending(atLeast: Int)

    /// The whole identifier, or an ending of any length: right for what only reads.
    package static let anyEnding = IdentifierMatch.ending(atLeast: 1)

    /// Whether `text` may be an ending.
    package func allowsEnding(_ text: String) -> Bool {
        switch self {
        case .whole: false
        case .ending(let least): text.count >= least
        }
    }

    /// What else could be given, for whoever gave too little.
    package var hint: String {
        switch self {
        case .whole: "Give the whole identifier: an ending is not enough here."
        case .ending(...1): "An ending of the identifier is enough, as the lists show it."
        case .ending(let least): "Give the whole identifier, or at least its last \(least) characters."
        }
    }
}

/// Finds the one row that a person at a shell names.
///
/// Each function throws `notFound` where no row fits, and `ambiguous`, with the identifiers in its message, where
/// several do.
package protocol NamedLookup: Sendable {
    /// The person with that identifier, or with that whole user name or e-mail address in any case.
    /// - Parameter match: how much of the identifier is enough. A whole identifier means nobody else.
    func user(named name: String, matching match: IdentifierMatch) async throws(StoreError) -> User

    /// The flow with that identifier, with its answers.
    /// - Parameter match: how much of the identifier is enough.
    func flow(named name: String, matching match: IdentifierMatch) async throws(StoreError) -> SavedFlow

    /// The submission with that identifier.
    /// - Parameter match: how much of the identifier is enough.
    func submission(named name: String, matching match: IdentifierMatch) async throws(StoreError) -> Submission
}
