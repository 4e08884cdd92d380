import Foyer

/// Rows with named columns: aligned on a terminal, a list where they do not fit, tab-separated on a pipe.
struct Table {
    /// A column; one that shrinks gives up room where the window is too narrow for all.
    struct Column: ExpressibleByStringLiteral {
        let title: String
        let shrinks: Bool
        let isNumber: Bool

        init(_ title: String, shrinks: Bool = false, isNumber: Bool = false) {
            self.title = title
            self.shrinks = shrinks
            self.isNumber = isNumber
        }

        init(stringLiteral title: String) { self.init(title) }

        /// The title as it stands before a value; a short one is an abbreviation.
        var label: String { title.count > 2 ? title.prefix(1) + title.dropFirst().lowercased() : title }

        /// A column that shrinks does so down to its title, which is short.
        var leastWidth: Int { max(4, DisplayWidth.of(title)) }
    }

    /// A value, as people see it and as a program gets it.
    struct Cell: ExpressibleByStringLiteral {
        let shown: String
        let piped: String

        init(shown: String, piped: String) {
            self.shown = PrintableText.escaped(shown)
            self.piped = PrintableText.escaped(piped)
        }

        init(_ text: String) { self.init(shown: text, piped: text) }

        init(_ number: Int) { self.init("\(number)") }

        init(stringLiteral text: String) { self.init(text) }

        init(_ moment: Timestamp, from now: Timestamp) {
            self.init(shown: RelativeTime.text(moment, from: now), piped: moment.description)
        }
    }

    let columns: [Column]
    let rows: [[Cell]]

    init(_ columns: [Column], _ rows: [[Cell]]) {
        self.columns = columns
        self.rows = rows
    }

    /// The table as lines; an empty table is nothing.
    func lines(_ style: Style) -> [String] {
        if rows.isEmpty { return [] }
        guard style.isTerminal else { return rows.map { $0.map(\.piped).joined(separator: "\t") } }
        guard !style.isAccessible, let widths = widths(in: style.columns ?? .max) else { return list(style) }
        let header = columns.map(\.title)
        return [style.bold(line(header, widths, style))] + rows.map { line($0.map(\.shown), widths, style) }
    }

    private static let gap = 2

    /// The width of each column; nil where not even the narrowest table fits.
    private func widths(in room: Int) -> [Int]? {
        let room = room - Self.gap * (columns.count - 1)
        var widths = columns.indices.map { index in
            rows.reduce(DisplayWidth.of(columns[index].title)) { max($0, DisplayWidth.of($1[index].shown)) }
        }
        for index in columns.indices where columns[index].shrinks {
            widths[index] = min(widths[index], max(room, columns[index].leastWidth))
        }
        while widths.reduce(0, +) > room {
            let shrinkable = columns.indices.filter {
                columns[$0].shrinks && widths[$0] > columns[$0].leastWidth
            }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
        }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int], _ style: Style) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let text = DisplayWidth.fitted(cell, widths[index], style.ellipsis)
            let space = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(text)))
            if index > 0 { line += String(repeating: " ", count: Self.gap) }
            line += columns[index].isNumber ? space + text : text + space
        }
        return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
    }

    /// Each row as a paragraph, with a line for each value that there is.
    private func list(_ style: Style) -> [String] {
        rows.map { row in
            zip(columns, row).filter { !$1.shown.isEmpty }.map { column, cell in
                "\(column.label): \(cell.shown)"
            }
        }.joined(separator: [""]).map(\.self)
    }
}
