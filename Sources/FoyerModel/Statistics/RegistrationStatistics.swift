/// Where people stop on their way through a registration, counted from the journal: also those whose answers are pruned
/// by now, but none who was erased.
public struct RegistrationStatistics: Sendable, Equatable {
    /// How many came to a step, and what became of them there; `reached` is the sum of the other numbers.
    public struct Step: Sendable, Equatable {
        /// The step's name.
        public let step: String
        /// How many got there, and were not sent back from there.
        public internal(set) var reached = 0
        /// How many went on from there.
        public internal(set) var finished = 0
        /// How many are there now.
        public internal(set) var here = 0
        /// How many gave up there.
        public internal(set) var gaveUp = 0
        /// How many were there when they had been left alone for too long.
        public internal(set) var left = 0
        /// How long it takes, half of the times less and half of them more; nil where nobody can tell, as for the answer
        /// that begins a registration.
        public internal(set) var median: Duration?
    }

    /// How many registrations were begun.
    public internal(set) var begun = 0
    /// How many of them were sent to the network, once or more often.
    public internal(set) var submitted = 0
    /// How many of them the network has accepted.
    public internal(set) var accepted = 0
    /// The steps in their order; last `submission`, which is everything between the last answer and the network's yes.
    public internal(set) var steps: [Step] = []

    /// The name of what follows the steps.
    public static let submission = "submission"

    /// Counts.
    ///
    /// - Parameters:
    ///   - journal: the entries of registrations, from the entry with which each begins, in their order.
    ///   - definition: the steps of today; steps of former names count as these, and steps that are gone follow them.
    public init(_ journal: [JournalEntry], definition: FlowDefinition) {
        var ways: [UUIDv7: Way] = [:], times: [String: [Duration]] = [:]
        let today = definition.steps.map(\.id)
        var order = today
        let names = Dictionary(
            definition.steps.flatMap { step in step.formerly.map { ($0, step.id) } },
            uniquingKeysWith: { first, _ in first })
        for entry in journal {
            guard let flow = entry.flowID else { continue }
            let event = entry.event.renamed(names)
            if case .stepAnswered(let step) = event, !order.contains(step) { order.append(step) }
            guard let time = ways[flow, default: Way()].take(event, at: entry.at) else { continue }
            times[time.step, default: []].append(time.length)
        }
        let counted = ways.values.filter(\.hasBegun)
        begun = counted.count
        submitted = counted.count { $0.wasSubmitted }
        accepted = counted.count { $0.end == .finished }
        steps = (order + [Self.submission]).map { name in
            var step = Step(step: name)
            for way in counted { way.count(in: &step, today) }
            step.median = times[name].flatMap(Self.median)
            return step
        }
    }

    static func median(_ times: [Duration]) -> Duration? {
        let sorted = times.sorted()
        guard let upper = sorted.dropFirst(sorted.count / 2).first else { return nil }
        return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
    }
}

extension JournalEntry.Event {
    /// The event with its step under today's name.
    fileprivate func renamed(_ names: [String: String]) -> Self {
        switch self {
        case .stepAnswered(let step): .stepAnswered(names[step] ?? step)
        case .flowReopened(let step): .flowReopened(step: step.map { names[$0] ?? $0 })
        default: self
        }
    }
}

/// One person's way, as the journal tells it.
private struct Way {
    private(set) var hasBegun = false
    private(set) var wasSubmitted = false
    /// How it ended; nil while it has not.
    private(set) var end: SavedFlow.Status?
    private var answered: Set<String> = []
    /// The step that the network has sent them back to.
    private var sentBackTo: String?
    private var isOnItsWay = false
    private var last: Timestamp?

    /// Goes on with an event; gives the time that a step took, where it tells one.
    mutating func take(_ event: JournalEntry.Event, at now: Timestamp) -> (step: String, length: Duration)? {
        defer { last = now }
        switch event {
        case .flowStarted: hasBegun = true
        case .stepAnswered(let step):
            answered.insert(step)
            if sentBackTo == step { sentBackTo = nil }
            // Answers of one input share a moment: no time belongs to the second of them alone.
            if let last, now > last { return (step, now - last) }
        case .flowSubmitted: (wasSubmitted, isOnItsWay) = (true, true)
        case .flowReopened(let step): (sentBackTo, isOnItsWay) = (step, false)
        case .flowEnded(let status, _): end = status
        default: break
        }
        return nil
    }

    /// Adds this person to what is counted of a step.
    func count(in step: inout RegistrationStatistics.Step, _ today: [String]) {
        if step.step == place(today) {
            step.reached += 1
            switch end {
            case .finished: step.finished += 1
            case .cancelled: step.gaveUp += 1
            case .expired: step.left += 1
            default: step.here += 1
            }
        } else if answered.contains(step.step) {
            step.reached += 1
            step.finished += 1
        }
    }

    /// Where they are, or were last: as a rule at the step after the furthest answer.
    private func place(_ today: [String]) -> String {
        if end == .finished || isOnItsWay { return RegistrationStatistics.submission }
        if let sentBackTo { return sentBackTo }
        let next = today.lastIndex(where: answered.contains).map { $0 + 1 } ?? 0
        let open = today[next...].first ?? today.first { !answered.contains($0) }
        return open ?? RegistrationStatistics.submission
    }
}
