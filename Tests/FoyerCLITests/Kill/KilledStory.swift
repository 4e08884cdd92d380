import Foundation
import Glibc
import TestSupport
import Testing

/// A golden story in one household, told to `foyer app --json`, which may be killed once on the way.
final class KilledStory {
    typealias Shown = JSONPresenterTests.Shown

    /// What a story leaves behind.
    struct Record: Sendable {
        /// The journal before the first input, and after each.
        var journals: [String] = []
        /// Every screen that was shown, as the program's lines.
        var lines: [String] = []
        var end = ""
    }

    /// When the program is killed.
    enum Moment: Sendable {
        /// After so many inputs were answered.
        case answered(Int)
        /// Right after the input that follows so many was sent.
        case unanswered(Int)
        /// Before one of its calls that change a file.
        case at(KillPoint)
    }

    let household: Household
    private let story: GoldenStory
    private let record: Record
    private var app: Dialogue
    /// The inputs that were sent to the program that was started after the kill.
    private(set) var resent: [GoldenStory.Input] = []

    private init(_ story: GoldenStory, against record: Record, adding environment: [String: String] = [:]) async throws
    {
        self.story = story
        self.record = record
        household = try await Self.household(for: story)
        app = try Self.launch(story, in: household, isBegun: false, adding: environment)
    }

    /// The story without any kill.
    static func uninterrupted(_ story: GoldenStory) async throws -> Record {
        let telling = try await KilledStory(story, against: Record())
        var record = Record(lines: [try await telling.app.nextLine()])
        record.journals = [try await telling.household.journal()]
        for input in story.inputs {
            let shown = try Shown(record.lines[record.lines.count - 1])
            try #require(try shown.id() == input.screen)
            record.lines.append(try await telling.app.answer(to: try Self.line(input, for: shown)))
            record.journals.append(try await telling.household.journal())
        }
        #expect(try await telling.app.end() == .code(story.exit))
        record.end = try await telling.household.remains()
        try await telling.household.checkInvariants()
        return record
    }

    /// Tells the story with a kill, and the rest of it to a new program; checks all that must hold then.
    @discardableResult
    static func tell(
        _ story: GoldenStory, killedAt moment: Moment, against record: Record
    ) async throws -> KilledStory {
        var environment: [String: String] = [:]
        if case .at(let point) = moment { environment = point.environment }
        let telling = try await KilledStory(story, against: record, adding: environment)
        let (answered, sent, before) = try await telling.tellUntilKilled(at: moment)
        let next = try await telling.restart(answered: answered, sent: sent, before)
        try await telling.goOn(from: next.position, at: next.shown)
        let remains = try await telling.household.remains()
        #expect(remains == record.end, "\(story.name) \(moment)")
        try await telling.household.checkInvariants()
        return telling
    }

    // MARK: Before the kill

    /// - Returns: how many inputs were answered, how many were sent, and the screen that was shown last.
    private func tellUntilKilled(at moment: Moment) async throws -> (Int, Int, Shown?) {
        var shown: Shown?
        var answered = 0, sent = 0
        do {
            shown = try Shown(try await app.nextLine())
            for input in story.inputs {
                if case .answered(answered) = moment { break }
                let line = try Self.line(input, for: try #require(shown))
                sent += 1
                if case .unanswered(answered) = moment {
                    try await app.send(line)
                    break
                }
                shown = try Shown(try await app.answer(to: line))
                answered += 1
            }
        } catch {
            // A program that is killed in the middle gives no answer; every other is asked why.
            guard case .at(let point) = moment, try point.wasReached else { throw error }
        }
        if case .at(let point) = moment {
            // The last of its calls are those with which it closes its files.
            let exit = try await app.end()
            #expect(try exit == (point.wasReached ? .signal(SIGKILL) : .code(story.exit)), "\(point)")
        } else {
            app.signal(SIGKILL)
            #expect(try await app.end() == .signal(SIGKILL))
        }
        return (answered, sent, shown)
    }

    // MARK: After it

    /// Starts a new program, and decides from the journal whether an input without an answer has to be repeated.
    private func restart(
        answered: Int, sent: Int, _ before: Shown?
    ) async throws -> (position: Int, shown: Shown) {
        let journal = try await Household(copying: household).journal()
        let earlier = record.journals[answered], later = record.journals[sent]
        #expect(journal.hasPrefix(earlier) && later.hasPrefix(journal), "an answer is neither whole nor absent")
        app = try Self.launch(story, in: household, isBegun: answered > 0)
        let shown = try Shown(try await app.nextLine())
        guard sent > answered else {
            if let before, answered > 0 {
                let place = try shown.place(), last = try before.place()
                #expect(Forgotten.allows(place, after: last), "\(story.name) \(answered): \(last) became \(place)")
            }
            return (answered, shown)
        }
        // The journal tells whether it was done; of what stands in no journal, the screen does.
        let isOpen = try earlier == later ? shown.id() == story.inputs[answered].screen : journal == earlier
        return (isOpen ? answered : sent, shown)
    }

    private func goOn(from start: Int, at first: Shown) async throws {
        var position = start, shown = first
        while position < story.inputs.count {
            let input = story.inputs[position], id = try shown.id()
            if id == input.screen {
                shown = try await send(input, to: shown)
                position += 1
            } else if id.hasSuffix("/submitted") {
                // Killed before the network had decided: who looks again has it asked.
                let look = GoldenStory.Input(screen: id, action: "tab.account")
                shown = try Shown(try await app.answer(to: try Self.line(look, for: shown)))
                try #require(try shown.id() != id, "the network does not decide")
            } else {
                let last = position > 0 ? story.inputs[position - 1] : nil
                let forgotten = Forgotten(input, after: last, shown: id)
                switch try #require(forgotten, "\(story.name): \(id) is shown in place of \(input.screen)") {
                case .skip: position += 1
                case .repeatLast: position -= 1
                }
            }
        }
        #expect(try await app.end() == .code(story.exit))
    }

    private func send(_ input: GoldenStory.Input, to shown: Shown) async throws -> Shown {
        resent.append(input)
        let next = try Shown(try await app.answer(to: try Self.line(input, for: shown)))
        #expect(next.result == "taken" || next.result == "refused", "\(input.screen) \(input.action): \(next.line)")
        return next
    }

    // MARK: Helpers

    private static func line(_ input: GoldenStory.Input, for shown: Shown) throws -> String {
        try shown.input(input.action, Dictionary(input.values.map { ($0.key, $0.text) }) { $1 })
    }

    private static func launch(
        _ story: GoldenStory, in household: Household, isBegun: Bool, adding environment: [String: String] = [:]
    ) throws -> Dialogue {
        let start = isBegun ? [] : story.start
        return try Dialogue(household.program(["app", "--json"] + start + story.options).adding(environment))
    }

    /// A household in which the story can begin.
    static func household(for story: GoldenStory) async throws -> Household {
        story.isRegistered ? try Household(restoring: try await registered.value) : try Household()
    }

    private static let registered = Task {
        let household = try Household()
        let finished = try await household.foyer("register", lines: Person.ada.answers)
        #expect(finished.exit == .code(0))
        // The files alone: a folder would be held, and so left behind, until the tests end.
        return try household.files()
    }
}

extension JSONPresenterTests.Shown {
    /// The selected tab, and the screens that lie on each other in it.
    func place() throws -> [String] {
        let tabs = object["screens"] as? [String: Any] ?? [:]
        return [tabs["selected"] as? String ?? ""] + Self.screens(of: tabs["shown"])
    }

    private static func screens(of tree: Any?) -> [String] {
        guard let tree = tree as? [String: Any] else { return [] }
        if let screen = tree["screen"] as? [String: Any] { return [screen["id"] as? String ?? ""] }
        if let stack = tree["stack"] as? [Any] { return stack.flatMap { screens(of: $0) } }
        return screens(of: tree["over"]) + screens(of: tree["top"])
    }
}

extension Household {
    /// What has happened, in order; nothing while there is no database.
    func journal() async throws -> String {
        guard hasDatabase else { return "" }
        return try await sqlite3("SELECT what || ' ' || coalesce(detail, '-') || ';' FROM events ORDER BY seq")
    }

    /// What a story leaves: what has happened, the submissions, the people, and the accounts at the network.
    func remains() async throws -> String {
        let submissions = try await sqlite3("SELECT kind, state FROM submissions ORDER BY seq")
        return try await [journal(), submissions, people(), accounts()].joined(separator: "\n--\n")
    }
}
