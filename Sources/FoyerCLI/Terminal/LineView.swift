import Foyer

/// A prompt and the line behind it, as they stand on one row of a terminal: gives what to write when they change.
///
/// The cursor is set by writing what stands before it once more, so that it is right also where the terminal takes
/// another number of columns for a character than we do. A line that is too long shows the part around the cursor.
struct LineView {
    /// With less room than this for the answer, the prompt stands on rows of its own.
    private static let leastRoom = 12

    private let prompt: String
    /// The first character of the line that is shown.
    private var first = 0
    private var shown: Row?

    private struct Row: Equatable {
        let prompt: String
        let before: String
        let after: String
    }

    init(prompt: String) {
        self.prompt = PrintableText.escaped(prompt)
    }

    /// What draws it on an empty row.
    mutating func open(_ line: EditedLine, columns: Int) -> String {
        let row = row(of: line, columns: columns)
        shown = row
        let above = row.prompt.isEmpty ? (prompt.wrapped(to: columns - 1) + "\n").replacing("\n", with: "\r\n") : ""
        return above + Self.text(of: row)
    }

    /// What turns the row that is shown into one that shows the line.
    mutating func update(_ line: EditedLine, columns: Int) -> String {
        guard let old = shown else { return open(line, columns: columns) }
        let row = row(of: line, columns: columns)
        shown = row
        if row == old { return "" }
        if row.prompt == old.prompt, row.after.isEmpty, old.after.isEmpty,
            row.before.unicodeScalars.starts(with: old.before.unicodeScalars)
        {
            return String(row.before.unicodeScalars.dropFirst(old.before.unicodeScalars.count))
        }
        return "\r\u{1B}[K" + Self.text(of: row)
    }

    /// What draws it again on the row that it stands on, in a window of another size.
    mutating func redraw(_ line: EditedLine, columns: Int) -> String {
        "\r\u{1B}[K" + open(line, columns: columns)
    }

    private static func text(of row: Row) -> String {
        let start = row.prompt + row.before
        return start + (row.after.isEmpty ? "" : row.after + "\r" + start)
    }

    private mutating func row(of line: EditedLine, columns: Int) -> Row {
        let fits = columns - DisplayWidth.of(prompt) > Self.leastRoom
        // The last column stays free: some terminals begin a new row as soon as it is filled.
        let room = max(2, columns - 1 - (fits ? DisplayWidth.of(prompt) : 0))
        let before = line.before.map { PrintableText.escaped(String($0)) }
        first = Self.first(of: before, from: first, room: room)
        var left = room - before[first...].reduce(0) { $0 + DisplayWidth.of($1) }
        let after = line.after.lazy.map { PrintableText.escaped(String($0)) }.prefix { character in
            left -= DisplayWidth.of(character)
            return left >= 0
        }
        return Row(prompt: fits ? prompt : "", before: before[first...].joined(), after: after.joined())
    }

    /// The first character to show so that the cursor is in the window: the same as before if it can be.
    private static func first(of before: [String], from first: Int, room: Int) -> Int {
        guard before.reduce(0, { $0 + DisplayWidth.of($1) }) > room else { return 0 }
        var first = min(first, before.count)
        if first == before.count {
            // Moved out at the left: some of what is before the cursor is to be seen again.
            var width = 0
            while first > 0, width < room / 2 {
                first -= 1
                width += DisplayWidth.of(before[first])
            }
        }
        var width = before[first...].reduce(0) { $0 + DisplayWidth.of($1) }
        while width > room {
            width -= DisplayWidth.of(before[first])
            first += 1
        }
        return first
    }
}
