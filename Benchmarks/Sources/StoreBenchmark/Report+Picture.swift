import Foundation

/// The last run as an SVG picture: how each ratio stands to its goal, and what work costs as the store grows.
extension Report {
    private static let width = 900
    private static let rowHeight = 26

    var picture: String {
        let bars = measurements.count * Self.rowHeight + 40, curves = growth.isEmpty ? 0 : 300
        let parts = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Self.width)" height="\#(bars + curves)""#
                + #" font-family="sans-serif" font-size="13">"#,
            #"<rect width="100%" height="100%" fill="white"/>"#,
        ]
        return (parts + ratios + self.curves(below: bars) + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    /// One bar for each ratio, as a share of its goal.
    private var ratios: [String] {
        let left = 360, scale = 200.0
        var parts: [String] = []
        for (index, row) in measurements.enumerated() {
            // For a cost, less is better: twice as cheap as allowed is a bar of twice the length.
            let share = { (value: Double) in row.isCost ? row.goal / max(value, 1e-9) : value / row.goal }
            let length = { (value: Double) in Int(min(share(value) * scale, Double(Self.width - left - 60))) }
            let top = index * Self.rowHeight + 8, middle = top + 9
            let (near, far) = row.isCost ? (row.ratio.high, row.ratio.low) : (row.ratio.low, row.ratio.high)
            parts += [
                #"<text x="\#(left - 8)" y="\#(top + 13)" text-anchor="end">\#(row.name)</text>"#,
                #"<rect x="\#(left)" y="\#(top)" width="\#(length(row.ratio.middle))" height="18" "#
                    + #"fill="\#(row.isMet ? "#4a7" : "#c54")"/>"#,
                #"<line x1="\#(left + length(near))" y1="\#(middle)" x2="\#(left + length(far))" y2="\#(middle)" "#
                    + #"stroke="black" stroke-width="2"/>"#,
                #"<text x="\#(left + length(far) + 6)" y="\#(top + 13)">\#(Self.shown(row.ratio.middle))</text>"#,
            ]
        }
        let goal = left + Int(scale), bottom = measurements.count * Self.rowHeight + 8
        parts += [
            #"<line x1="\#(goal)" y1="0" x2="\#(goal)" y2="\#(bottom)" stroke="black" stroke-dasharray="4"/>"#,
            #"<text x="\#(goal)" y="\#(bottom + 18)" text-anchor="middle">goal</text>"#,
        ]
        return parts
    }

    /// Microseconds over the number of people in the store, both on a scale of powers of ten.
    private func curves(below top: Int) -> [String] {
        guard let first = growth.first, let last = growth.last, last.people > first.people else { return [] }
        let left = 120, right = Self.width - 160, bottom = top + 240
        let x = { (people: Int) in
            let share = log10(Double(people) / Double(first.people)) / log10(Double(last.people) / Double(first.people))
            return left + Int(share * Double(right - left))
        }
        // From one microsecond up to ten thousand.
        let y = { (cost: Double) in bottom - Int(log10(max(cost, 1)) / 4 * 220) }
        var parts = [1, 10, 100, 1000, 10_000].flatMap { cost in
            [
                #"<line x1="\#(left)" y1="\#(y(cost))" x2="\#(right)" y2="\#(y(cost))" stroke="lightgray"/>"#,
                #"<text x="\#(left - 8)" y="\#(y(cost) + 4)" text-anchor="end">\#(Int(cost)) µs</text>"#,
            ]
        }
        parts += growth.map {
            #"<text x="\#(x($0.people))" y="\#(bottom + 20)" text-anchor="middle">\#($0.people) people</text>"#
        }
        let lines: [(String, String, (Growth) -> Double)] = [
            ("finish", "#c54", \.finish), ("answered step", "#47a", \.step), ("point read", "#4a7", \.read),
        ]
        for (name, color, cost) in lines {
            let points = growth.map { "\(x($0.people)),\(y(cost($0)))" }.joined(separator: " ")
            parts += [
                #"<polyline points="\#(points)" fill="none" stroke="\#(color)" stroke-width="2"/>"#,
                #"<text x="\#(right + 8)" y="\#(y(cost(last)) + 4)">\#(name), \#(Self.shown(cost(last))) µs</text>"#,
            ]
        }
        return parts
    }
}
