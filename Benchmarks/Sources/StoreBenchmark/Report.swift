import Foundation

/// The last run as JSON, as a table, and as a picture.
struct Report {
    let measurements: [Measurement]
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

    var table: String {
        var lines = [
            surroundings, "",
            "| work | against | ratio | 95 % | goal | met | C µs | Foyer µs | p50 µs | p99 µs | max µs | faults |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|",
        ]
        for row in measurements {
            let cells = [
                row.name, row.against, shown(row.ratio.middle), "\(shown(row.ratio.low))–\(shown(row.ratio.high))",
                (row.isCost ? "≤ " : "≥ ") + shown(row.goal), row.isMet ? "yes" : "**no**",
                shown(row.rawSeconds * 1e6), shown(row.foyerSeconds * 1e6), shown(row.p50), shown(row.p99),
                shown(row.max), shown(row.faults),
            ]
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func shown(_ value: Double) -> String {
        guard value.isFinite else { return "" }
        if value == value.rounded(), value.magnitude < 1e6 { return "\(Int(value))" }
        let digits = value.magnitude >= 100 ? 0 : value.magnitude >= 10 ? 1 : 2
        return String(format: "%.\(digits)f", value)
    }

    /// One bar for each ratio, as a share of its goal.
    var picture: String {
        let height = 26, width = 900, left = 360, scale = 200.0
        var parts = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(measurements.count * height + 40)""#
                + #" font-family="sans-serif" font-size="13">"#,
            #"<rect width="100%" height="100%" fill="white"/>"#,
        ]
        for (index, row) in measurements.enumerated() {
            // For a cost, less is better: twice as cheap as allowed is a bar of twice the length.
            let share = { (value: Double) in row.isCost ? row.goal / max(value, 1e-9) : value / row.goal }
            let length = { (value: Double) in Int(min(share(value) * scale, Double(width - left - 60))) }
            let top = index * height + 8, middle = top + 9
            let (near, far) = row.isCost ? (row.ratio.high, row.ratio.low) : (row.ratio.low, row.ratio.high)
            parts += [
                #"<text x="\#(left - 8)" y="\#(top + 13)" text-anchor="end">\#(row.name)</text>"#,
                #"<rect x="\#(left)" y="\#(top)" width="\#(length(row.ratio.middle))" height="18" "#
                    + #"fill="\#(row.isMet ? "#4a7" : "#c54")"/>"#,
                #"<line x1="\#(left + length(near))" y1="\#(middle)" x2="\#(left + length(far))" y2="\#(middle)" "#
                    + #"stroke="black" stroke-width="2"/>"#,
                #"<text x="\#(left + length(far) + 6)" y="\#(top + 13)">\#(shown(row.ratio.middle))</text>"#,
            ]
        }
        let goal = left + Int(scale), bottom = measurements.count * height + 8
        parts += [
            #"<line x1="\#(goal)" y1="0" x2="\#(goal)" y2="\#(bottom)" stroke="black" stroke-dasharray="4"/>"#,
            #"<text x="\#(goal)" y="\#(bottom + 18)" text-anchor="middle">goal</text>"#, "</svg>",
        ]
        return parts.joined(separator: "\n") + "\n"
    }
}
