/// Tells what was pressed from the bytes that a terminal sends, wherever the reads have cut them.
struct KeyDecoder {
    enum Key: Equatable, Sendable {
        /// A byte of text, typed or pasted.
        case text(UInt8)
        /// Ctrl and a letter, or Backspace.
        case control(UInt8)
        /// A key that sends a sequence, such as an arrow.
        case change(EditedLine.Change)
        case enter
        /// Escape by itself.
        case escape
    }

    private enum State { case text, escape, sequence, function }

    private var state = State.text
    /// What stands between `ESC [` and the letter that ends the sequence.
    private var parameters: [UInt8] = []
    /// Whether what comes was pasted: then only the end of a line is a key.
    private(set) var isPasting = false

    /// Whether a sequence has begun; when nothing follows it was the Escape key.
    var isHalfway: Bool { state != .text }

    /// Takes the next byte; nil while that makes no key.
    mutating func take(_ byte: UInt8) -> Key? {
        switch state {
        case .text: return takeText(byte)
        case .escape: return takeAfterEscape(byte)
        case .sequence:
            if (0x20...0x3F).contains(byte), parameters.count < 16 {
                parameters.append(byte)
                return nil
            }
            state = .text
            return endSequence(byte)
        case .function:
            state = .text
            return isPasting ? nil : Self.functionKeys[byte].map(Key.change)
        }
    }

    /// Says that nothing has followed for a while.
    mutating func giveUp() -> Key? {
        let wasEscape = state == .escape && !isPasting
        state = .text
        return wasEscape ? .escape : nil
    }

    private mutating func takeText(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return .enter
        case 0..<0x20, 0x7F: return isPasting || byte == UInt8(ascii: "\t") ? .text(byte) : .control(byte)
        default: return .text(byte)
        }
    }

    private mutating func takeAfterEscape(_ byte: UInt8) -> Key? {
        state = .text
        switch byte {
        case UInt8(ascii: "["):
            (state, parameters) = (.sequence, [])
            return nil
        case UInt8(ascii: "O"):
            state = .function
            return nil
        case 0x1B:
            state = .escape
            return isPasting ? nil : .escape
        default: return isPasting ? nil : Self.metaKeys[byte].map(Key.change)
        }
    }

    private mutating func endSequence(_ last: UInt8) -> Key? {
        let numbers = parameters.split(separator: UInt8(ascii: ";")).map { String(decoding: $0, as: UTF8.self) }
        if last == UInt8(ascii: "~"), let number = numbers.first {
            if number == "200" { isPasting = true }
            if number == "201" { isPasting = false }
            return isPasting ? nil : Self.numberedKeys[number].map(Key.change)
        }
        guard !isPasting, (0x41...0x5A).contains(last), let change = Self.functionKeys[last] else { return nil }
        // With Alt or Ctrl the arrows go by words.
        guard ["3", "5"].contains(numbers.last) else { return .change(change) }
        return switch change {
        case .left: .change(.wordLeft)
        case .right: .change(.wordRight)
        default: .change(change)
        }
    }

    private static let functionKeys: [UInt8: EditedLine.Change] = [
        UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
        UInt8(ascii: "c"): .wordRight, UInt8(ascii: "d"): .wordLeft,
    ]
    private static let numberedKeys: [String: EditedLine.Change] = [
        "1": .home, "7": .home, "4": .end, "8": .end, "3": .deleteForward,
    ]
    private static let metaKeys: [UInt8: EditedLine.Change] = [
        UInt8(ascii: "b"): .wordLeft, UInt8(ascii: "f"): .wordRight, UInt8(ascii: "d"): .deleteWordForward,
        0x7F: .deleteWordBack, 0x08: .deleteWordBack,
    ]
}

extension EditedLine.Change {
    /// What Ctrl and a letter does; nil for what does nothing to a line.
    init?(control byte: UInt8) {
        switch byte {
        case 0x01: self = .home
        case 0x02: self = .left
        case 0x05: self = .end
        case 0x06: self = .right
        case 0x08, 0x7F: self = .deleteBack
        case 0x0B: self = .deleteToEnd
        case 0x15: self = .deleteToStart
        case 0x17: self = .deleteWordBack
        default: return nil
        }
    }
}
