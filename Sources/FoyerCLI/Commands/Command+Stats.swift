import Foyer

extension Command {
    static let stats = Command(
        name: "stats", summary: "at which steps people stop on their way through a registration", flags: [.since],
        examples: ["foyer stats", "foyer stats --since 30", "foyer stats --json"]
    ) { invocation in
        let now = FoyerEnvironment.system.now()
        let start = invocation.options.since.map { now + .seconds(-86400 * $0) }
        let foyer = try await invocation.options.openIfPresent()
        let statistics = try await foyer?.registrationStatistics(since: start)
        if invocation.options.json {
            Output.json(members(of: statistics, since: start))
            return .done
        }
        guard let statistics, statistics.begun > 0 else {
            Output.error("No registration was begun. `foyer register` begins one.")
            return .done
        }
        if Output.isTerminal {
            let days = invocation.options.since.map { " in the last \($0) days" } ?? ""
            Output.line(
                "\(statistics.begun) registrations begun\(days), \(statistics.submitted) sent, "
                    + "\(statistics.accepted) accepted.")
            Output.line("")
        }
        Chart(statistics: statistics, style: Output.style).lines().forEach(Output.exact)
        return .done
    }

    private static func members(of statistics: RegistrationStatistics?, since start: Timestamp?) -> [String: JSONValue]
    {
        [
            "since": JSONValue(start), "begun": JSONValue(statistics?.begun ?? 0),
            "submitted": JSONValue(statistics?.submitted ?? 0), "accepted": JSONValue(statistics?.accepted ?? 0),
            "steps": .array(
                (statistics?.steps ?? []).map { step in
                    .object([
                        "step": .string(step.step), "reached": JSONValue(step.reached),
                        "finished": JSONValue(step.finished), "here": JSONValue(step.here),
                        "gave_up": JSONValue(step.gaveUp), "left": JSONValue(step.left),
                        "median_seconds": step.median.map { .integer($0.components.seconds) } ?? .null,
                    ])
                }),
        ]
    }
}

/// How many got to each step, as a bar chart; as sentences where bars are of no use.
struct Chart {
    let statistics: RegistrationStatistics
    let style: Style

    func lines() -> [String] {
        if style.isAccessible, style.isTerminal { return statistics.steps.map(sentence) }
        let wide = Table(columns, statistics.steps.map(cells))
        guard style.isTerminal else { return wide.lines(style) }
        // What takes no bar comes first; the bars get the room that it leaves.
        let numbers = wide.lines(style)
        let used = numbers.dropFirst().map(DisplayWidth.of).max() ?? 0
        let room = min(40, (style.columns ?? 80) - used - 2)
        guard room >= 8, numbers.count == statistics.steps.count + 1 else { return narrow() }
        return [numbers[0]]
            + zip(numbers.dropFirst(), statistics.steps).map { line, step in
                let gap = String(repeating: " ", count: used + 2 - DisplayWidth.of(line))
                let bar = Drawing.bar(step.reached, of: statistics.begun, width: room, style)
                return bar.isEmpty ? line : line + gap + bar
            }
    }

    private var columns: [Table.Column] {
        let numbers = ["GOT THERE", "WENT ON", "GAVE UP", "LEFT", "ARE HERE", "MEDIAN"]
        return ["STEP"] + numbers.map { Table.Column($0, isNumber: true) }
    }

    private func cells(_ step: RegistrationStatistics.Step) -> [Table.Cell] {
        [
            Table.Cell(step.step), Table.Cell(step.reached), Table.Cell(step.finished), Table.Cell(step.gaveUp),
            Table.Cell(step.left), Table.Cell(step.here),
            Table.Cell(
                shown: step.median.map(RelativeTime.length) ?? "-",
                piped: step.median.map { "\($0.components.seconds)" } ?? "-"),
        ]
    }

    /// For a narrow window: the name, the share and the bar, and below them who stopped there.
    private func narrow() -> [String] {
        let width = statistics.steps.map { DisplayWidth.of($0.step) }.max() ?? 0
        let room = max(1, min(40, (style.columns ?? 80) - width - 8))
        return statistics.steps.flatMap { step in
            let gap = String(repeating: " ", count: width - DisplayWidth.of(step.step))
            let share = "\(statistics.begun > 0 ? step.reached * 100 / statistics.begun : 0) %"
            let pad = String(repeating: " ", count: max(0, 5 - share.count))
            let bar = Drawing.bar(step.reached, of: statistics.begun, width: room, style)
            let line = "\(PrintableText.escaped(step.step))\(gap) \(pad)\(share)  \(bar)"
            return stopped(step).map { [line, String(repeating: " ", count: width + 8) + $0] } ?? [line]
        }
    }

    private func stopped(_ step: RegistrationStatistics.Step) -> String? {
        let parts = [(step.gaveUp, "gave up"), (step.left, "left"), (step.here, "here")].filter { $0.0 > 0 }
        return parts.isEmpty ? nil : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private func sentence(_ step: RegistrationStatistics.Step) -> String {
        let median = step.median.map { ", half of them within \(RelativeTime.length($0))" } ?? ""
        return "\(PrintableText.escaped(step.step)): \(step.reached) of \(statistics.begun) got there, "
            + "\(step.finished) went on\(median), \(step.gaveUp) gave up, \(step.left) left, \(step.here) are here."
    }
}
