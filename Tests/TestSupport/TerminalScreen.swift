/// What a terminal shows of the bytes that a program writes: rows of cells, without an end at the top.
///
/// It knows what a prompt needs: text of one and of two columns, marks that stand on the character before, `\r`, `\n`,
/// `\b`, erasing to the end of the row, and the marks around what is pasted. All else is listed in `unknown`.
public struct TerminalScreen: Sendable, Equatable {
    /// The width of the window; rows that are there already stay as they are.
    public var columns: Int
    /// The cells of all rows; the second cell of a wide character is empty.
    private var rows: [[String]] = [[]]
    private var row = 0
    /// Where the next character goes; behind the last column the next one begins a new row.
    public private(set) var column = 0
    /// Sequences that did nothing here, without their escape.
    public private(set) var unknown: [String] = []
    /// Whether the program wants to be told what is pasted.
    public private(set) var marksPastes = false
    /// The bytes of a character or a sequence that is not complete.
    private var pending: [UInt8] = []

    public init(columns: Int = 80) {
        self.columns = columns
    }

    /// All rows with line ends between them; cells that were never written are not there.
    public var text: String { rows.map { $0.joined() }.joined(separator: "\n") }

    /// The row in which the cursor stands.
    public var line: String { rows[row].joined() }

    /// What stands in this row before the cursor.
    public var lineBeforeCursor: String { rows[row].prefix(column).joined() }

    /// Takes the next bytes, wherever they were cut.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            if pending[0] == 0x1B { takeSequence() } else { takeText() }
        }
    }

    private mutating func takeText() {
        let first = pending[0]
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count == length else { return }
        for scalar in String(decoding: pending, as: UTF8.self).unicodeScalars { show(scalar) }
        pending = []
    }

    private mutating func takeSequence() {
        guard pending.count > 1 else { return }
        let isCSI = pending[1] == UInt8(ascii: "[")
        guard let last = pending.last, !isCSI || pending.count > 2 && (0x40...0x7E).contains(last) else { return }
        let sequence = String(decoding: pending.dropFirst(), as: UTF8.self)
        pending = []
        switch sequence {
        case "[K": rows[row].removeSubrange(min(column, rows[row].count)...)
        case "[?2004h": marksPastes = true
        case "[?2004l": marksPastes = false
        default: unknown.append(sequence)
        }
    }

    private mutating func show(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\r": column = 0
        case "\u{8}": column = max(0, column - 1)
        case "\n":
            row += 1
            if row == rows.count { rows.append([]) }
        case _ where scalar.value < 0x20: unknown.append("\\u{\(String(scalar.value, radix: 16))}")
        default: put(scalar)
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = Self.width(of: scalar)
        guard width > 0 else {
            guard let place = rows[row].prefix(column).lastIndex(where: { $0 != "" }) else { return }
            rows[row][place].unicodeScalars.append(scalar)
            return
        }
        if column + width > columns {
            show("\r")
            show("\n")
        }
        while rows[row].count < column + width { rows[row].append(" ") }
        rows[row][column] = String(scalar)
        if width == 2 { rows[row][column + 1] = "" }
        column += width
    }

    /// As simple terminals have it: each scalar by itself.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_F300...0x1_F64F, 0x1_F900...0x1_F9FF, 0x2_0000...0x3_FFFD:
            2
        default: 1
        }
    }
}
