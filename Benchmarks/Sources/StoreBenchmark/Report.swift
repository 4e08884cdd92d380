import Foundation

/// The last run as JSON, as a table, and as a picture.
struct Report {
    let measurements: [Measurement]
    /// What work costs as the store grows.
    let growth: [Growth]
    /// What was measured on.
    let surroundings: String

    private struct File: Encodable {
        struct Row: Encodable {
            let name: String
            let ratio: Double
            let low: Double
            let high: Double
            let goal: Double
            let met: Bool
        }

        let schema = 1
        let rows: [Row]
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let rows = measurements.map {
            File.Row(
                name: $0.name, ratio: $0.ratio.middle, low: $0.ratio.low, high: $0.ratio.high, goal: $0.goal,
                met: $0.isMet)
        }
        return String(decoding: try encoder.encode(File(rows: rows)), as: UTF8.self)
    }

    /// The table as a page of its own.
    var page: String {
        "# The last run of `Scripts/bench`\n\n[README.md](README.md) says what is measured, and why what is missed is missed.\n\n"
            + table + "\n![Each ratio as a share of its goal, and what work costs as the store grows](results.svg)\n"
    }

    var table: String {
        var lines = [
            surroundings, "",
            "| work | against | ratio | 95 % | goal | met | C µs | Foyer µs | p50 µs | p99 µs | max µs | faults | log bytes |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        ]
        for row in measurements {
            let cells = [
                row.name, row.against, Self.shown(row.ratio.middle),
                "\(Self.shown(row.ratio.low))–\(Self.shown(row.ratio.high))",
                (row.isCost ? "≤ " : "≥ ") + Self.shown(row.goal), row.isMet ? "yes" : "**no**",
                Self.shown(row.rawSeconds * 1e6), Self.shown(row.foyerSeconds * 1e6), Self.shown(row.p50),
                Self.shown(row.p99),
                Self.shown(row.max), Self.shown(row.faults), Self.shown(row.logBytes),
            ]
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func shown(_ value: Double) -> String {
        guard value.isFinite else { return "" }
        if value == value.rounded(), value.magnitude < 1e6 { return "\(Int(value))" }
        let digits = value.magnitude >= 100 ? 0 : value.magnitude >= 10 ? 1 : 2
        return String(format: "%.\(digits)f", value)
    }
}
