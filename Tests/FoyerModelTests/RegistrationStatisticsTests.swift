import FoyerModel
import Testing

/// Where people stop, counted from what the journal tells.
@Suite struct RegistrationStatisticsTests {
    private static let definition = FlowDefinition.standard(for: .register)
    private static let steps = definition.steps.map(\.id)
    private static let start = Timestamp(milliseconds: 1_767_323_045_000)

    private static func id(_ number: Int) -> UUIDv7? {
        UUIDv7("01900000-0000-7000-8000-0000000000" + String(10 + number))
    }

    /// The journal of some people, each with what happened so many seconds after the beginning.
    private static func journal(_ people: [[(Int, String, String?)]]) -> [JournalEntry] {
        people.enumerated().flatMap { number, entries in
            entries.map { seconds, what, detail in
                JournalEntry(
                    seq: 0, at: start + .seconds(seconds), event: JournalEntry.Event(what: what, detail: detail),
                    flowID: id(number), submissionID: nil, userID: nil)
            }
        }
    }

    private static func began(answering count: Int, every seconds: Int = 10) -> [(Int, String, String?)] {
        [(0, "flow started", "register")]
            + steps.prefix(count).enumerated().map { ($0.offset * seconds, "step answered", $0.element) }
    }

    @Test("Each step counts who reached it, finished it, is still there, gave up or left")
    func everyStepTellsWhoGotThereAndWhatBecameOfThem() {
        let statistics = RegistrationStatistics(
            Self.journal([
                Self.began(answering: 5) + [(40, "flow submitted", nil), (50, "flow finished", nil)],
                Self.began(answering: 5, every: 30) + [(120, "flow submitted", nil)],
                Self.began(answering: 2) + [(99, "flow cancelled", "given up")],
                Self.began(answering: 2) + [(99, "flow expired", nil)],
                Self.began(answering: 1),
                Self.began(answering: 5) + [(40, "flow submitted", nil), (41, "flow reopened", "userName")],
            ]), definition: Self.definition)
        #expect(statistics.begun == 6 && statistics.submitted == 3 && statistics.accepted == 1)
        #expect(statistics.steps.map(\.step) == Self.steps + ["submission"])
        let numbers = statistics.steps.map { [$0.reached, $0.finished, $0.here, $0.gaveUp, $0.left] }
        #expect(
            numbers == [
                [6, 6, 0, 0, 0], [6, 4, 2, 0, 0], [5, 3, 0, 1, 1], [3, 3, 0, 0, 0], [3, 3, 0, 0, 0], [2, 1, 1, 0, 0],
            ])
        #expect(statistics.steps.map(\.median) == [nil, .seconds(10), .seconds(10), .seconds(10), .seconds(10), nil])
    }

    @Test("Answers that came in one input do not count towards the median times")
    func answersOfOneInputHaveNoTimeOfTheirOwn() {
        let statistics = RegistrationStatistics(
            Self.journal([Self.began(answering: 3, every: 0) + [(7, "step answered", "firstName")]]),
            definition: Self.definition)
        #expect(statistics.steps.map(\.median) == [nil, nil, nil, .seconds(7), nil, nil])
    }

    @Test("The median of an even count lies between the middle two")
    func theMedianOfAnEvenCountLiesBetweenTheMiddleTwo() {
        let statistics = RegistrationStatistics(
            Self.journal([4, 1, 10, 2].map { Self.began(answering: 2, every: $0) }), definition: Self.definition)
        #expect(statistics.steps[1].median == .seconds(3))
    }

    @Test("Journal entries of a flow whose beginning is missing are not counted")
    func whatTheJournalTellsWithoutABeginningIsNotCounted() {
        let statistics = RegistrationStatistics(
            Self.journal([[(0, "step answered", "email"), (1, "flow cancelled", nil)], [(0, "key changed", nil)]]),
            definition: Self.definition)
        #expect(statistics.begun == 0 && statistics.steps.allSatisfy { $0.reached == 0 })
    }

    @Test("A step that the definition no longer has is counted after all others")
    func aStepThatIsGoneIsCountedBehindTheOthers() {
        let statistics = RegistrationStatistics(
            Self.journal([Self.began(answering: 1) + [(3, "step answered", "shoeSize")]]), definition: Self.definition)
        #expect(statistics.steps.map(\.step) == Self.steps + ["shoeSize", "submission"])
        #expect(statistics.steps[5].finished == 1 && statistics.steps[1].here == 1)
    }
}
