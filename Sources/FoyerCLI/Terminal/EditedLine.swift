/// One line of text that is being typed, with a place in it where the next character goes.
///
/// A value without a terminal: bytes and changes go in, and what is before and after the cursor comes out. What a person
/// sees as one character is one, whatever it is made of.
struct EditedLine: Equatable {
    /// A change that no text makes.
    enum Change: Sendable {
        case left, right, wordLeft, wordRight, home, end
        case deleteBack, deleteForward, deleteWordBack, deleteWordForward, deleteToStart, deleteToEnd
    }

    /// More is not taken: no answer may be nearly that long.
    static let longest = 65_536

    private(set) var before: String
    private(set) var after = ""
    /// The bytes of a character that is not complete yet.
    private var pending: [UInt8] = []

    /// Begins with a text, behind which the cursor stands.
    init(_ text: String = "") {
        before = text
    }

    var text: String { before + after }
    var isEmpty: Bool { before.isEmpty && after.isEmpty }

    // MARK: Text

    /// Takes the next byte of UTF-8, wherever the reads have cut it. What is none becomes U+FFFD.
    mutating func type(_ byte: UInt8) {
        if pending.isEmpty {
            guard byte >= 0x80 else { return insert(Unicode.Scalar(byte)) }
            guard Self.length(from: byte) > 1 else { return insert("\u{FFFD}") }
            return pending = [byte]
        }
        guard byte & 0xC0 == 0x80 else {
            breakOff()
            return type(byte)
        }
        pending.append(byte)
        guard pending.count == Self.length(from: pending[0]) else { return }
        let character = String(decoding: pending, as: UTF8.self)
        pending = []
        for scalar in character.unicodeScalars { insert(scalar) }
    }

    private mutating func insert(_ scalar: Unicode.Scalar) {
        // Of the controls only a tab is text, as in a terminal's own line.
        guard scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" else { return }
        guard before.utf8.count + after.utf8.count < Self.longest else { return }
        before.unicodeScalars.append(scalar)
    }

    private mutating func breakOff() {
        guard !pending.isEmpty else { return }
        pending = []
        insert("\u{FFFD}")
    }

    /// How many bytes the character has that begins so; 0 for what begins none.
    private static func length(from byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    // MARK: Changes

    mutating func change(_ change: Change) {
        breakOff()
        switch change {
        case .left: if let character = before.popLast() { after.insert(character, at: after.startIndex) }
        case .right: if !after.isEmpty { before.append(after.removeFirst()) }
        case .wordLeft: move(to: startOfWord)
        case .wordRight: move(to: before.count + lengthOfWord)
        case .home: move(to: 0)
        case .end: move(to: before.count + after.count)
        case .deleteBack: _ = before.popLast()
        case .deleteForward: if !after.isEmpty { after.removeFirst() }
        case .deleteWordBack: before.removeLast(before.count - startOfWord)
        case .deleteWordForward: after.removeFirst(lengthOfWord)
        case .deleteToStart: before = ""
        case .deleteToEnd: after = ""
        }
    }

    private mutating func move(to position: Int) {
        let text = text
        before = String(text.prefix(position))
        after = String(text.dropFirst(position))
    }

    /// Where the word begins that the cursor is in or behind.
    private var startOfWord: Int {
        let letters = before.reversed().drop { !Self.isOfWord($0) }
        return letters.drop { Self.isOfWord($0) }.count
    }

    /// How far the end of this word, or of the next one, is away.
    private var lengthOfWord: Int {
        after.count - after.drop { !Self.isOfWord($0) }.drop { Self.isOfWord($0) }.count
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
