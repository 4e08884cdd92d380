import Foyer

/// How the program's commands find what is named on their line.
///
/// What only reads takes any ending of an identifier. What destroys or takes back takes the whole identifier, or, of a
/// person, the whole user name or e-mail address; at a terminal also an ending as long as the lists show it.
@MainActor
extension Options {
    /// How much of an identifier a command needs that destroys what it names.
    var matchToDestroy: IdentifierMatch {
        StandardInput.isTerminal && !noInput ? .ending(atLeast: UUIDv7.endingLength) : .whole
    }

    /// The identifier as a command has to be given it that destroys what it names.
    func nameToDestroy(_ id: UUIDv7) -> String {
        matchToDestroy == .whole ? id.text : id.ending
    }
}

extension UUIDv7 {
    /// How many characters tables show: the shortest ending that may name what is to be destroyed.
    static let endingLength = 8

    /// The last characters, which tables show and commands take.
    var ending: String { String(text.suffix(Self.endingLength)) }
}
