import FoyerModel
import TestSupport
import Testing

@Suite struct ReconcileTests {
    private static let now = SavedAnswer.now
    private static let whole: [SavedAnswer] = [
        .clear("one", "a", seq: 1), .sealed("code", until: .seconds(60), seq: 2), .clear("two", "b", seq: 3),
        .clear("three", "c", seq: 4),
    ]

    @Test("Of saved answers that fit, all are kept, and the next step is asked", arguments: 0...4)
    func prefixes(count: Int) throws {
        let result = try FlowDefinition.sample.reconcile(Array(Self.whole.prefix(count)), now: Self.now)
        let steps = ["one", "code", "two", "three"]
        #expect(result.kept == Array(steps.prefix(count)))
        #expect(result.cursor == steps.dropFirst(count).first)
        #expect(result.askedAgain.isEmpty && result.invalid.isEmpty && result.aside.isEmpty)
        #expect(result.draft.errors.isEmpty && result.draft.prefilled.isEmpty)
    }

    /// A saved answer that cannot be used as it is, and what has to become of it.
    struct Row: Sendable, CustomTestStringConvertible {
        enum Fate: Equatable { case kept, askedAgain, invalid(String), aside }
        let testDescription: String
        let answer: SavedAnswer
        let fate: Fate
        var shown: String?
    }

    @Test(
        "Each saved answer has the one fate that its state calls for",
        arguments: [
            Row(testDescription: "readable and fit", answer: .clear("one", "a"), fate: .kept, shown: "a"),
            Row(testDescription: "of an older version", answer: .clear("one", "a", version: 0), fate: .askedAgain),
            Row(testDescription: "of a newer version", answer: .clear("one", "a", version: 2), fate: .askedAgain),
            Row(testDescription: "without a value", answer: .clear("one", nil), fate: .askedAgain),
            Row(
                testDescription: "refused by a rule of today", answer: .clear("one", "bad"),
                fate: .invalid("field.required"), shown: "bad"),
            Row(
                testDescription: "refused by the network", answer: .clear("one", "a", error: "username.taken"),
                fate: .invalid("username.taken"), shown: "a"),
            Row(testDescription: "not kept", answer: .volatile("one"), fate: .askedAgain),
            Row(
                testDescription: "sealed, of a step that is readable today", answer: .sealed("one", until: .seconds(9)),
                fate: .askedAgain),
            Row(testDescription: "sealed and in time", answer: .sealed("code", until: .milliseconds(1)), fate: .kept),
            Row(testDescription: "sealed, its time over", answer: .sealed("code", until: .zero), fate: .askedAgain),
            Row(testDescription: "sealed, its secret gone", answer: .sealed("code", until: nil), fate: .askedAgain),
            Row(
                testDescription: "sealed, of another version", answer: .sealed("code", until: .seconds(9), version: 2),
                fate: .askedAgain),
            Row(
                testDescription: "sealed and refused by the network",
                answer: .sealed("code", until: .seconds(9), error: "password.too_common"),
                fate: .invalid("password.too_common")),
            Row(testDescription: "a secret that was not kept", answer: .volatile("code"), fate: .askedAgain),
            Row(
                testDescription: "readable, of a step that is secret today", answer: .clear("code", "pw"),
                fate: .askedAgain),
            Row(
                testDescription: "readable and refused, of a step that is secret today",
                answer: .clear("code", "pw", error: "password.too_common"), fate: .invalid("password.too_common")),
            Row(testDescription: "of a step that is no more", answer: .clear("gone", "x"), fate: .aside),
            Row(
                testDescription: "refused, of a step that is no more",
                answer: .clear("gone", "x", error: "email.taken"),
                fate: .aside),
        ] as [Row])
    func fates(row: Row) throws {
        let result = try FlowDefinition.sample.reconcile([row.answer], now: Self.now)
        let step = row.answer.step
        #expect(result.fates(of: step) == [row.fate])
        #expect(result.draft.text(of: step) == row.shown)
        #expect((result.draft.answers[step] != nil) == (row.fate == .kept))
        if case .invalid(let message) = row.fate { #expect(result.draft.errors[step] == FieldMessage(message)) }
    }

    @Test("An answer that is asked again does not take the later answers with it")
    func laterAnswersStay() throws {
        var saved = Self.whole
        saved[1] = .sealed("code", until: .seconds(-1), seq: 2)
        let result = try FlowDefinition.sample.reconcile(saved, now: Self.now)
        #expect(result.cursor == "code")
        #expect(result.kept == ["one", "two", "three"])
    }

    @Test("Of several answers to one step the last given counts", arguments: [[0, 1], [1, 0]])
    func duplicates(order: [Int]) throws {
        let saved: [SavedAnswer] = [.clear("one", "older", seq: 1), .clear("one", "newer", seq: 2)]
        let gone: [SavedAnswer] = [.clear("gone", "older", seq: 3), .clear("gone", "newer", seq: 4)]
        let result = try FlowDefinition.sample.reconcile(
            order.map { saved[$0] } + order.map { gone[$0] }, now: Self.now)
        #expect(result.draft.text(of: "one") == "newer")
        #expect(result.kept == ["one"])
        #expect(result.aside == ["gone"])
    }

    @Test("A rule of today that looks at other answers sees only those of earlier steps that are kept")
    func rulesOverAnswers() throws {
        let definition = try FlowDefinition(.register, steps: [.clear("one"), .differing("two"), .differing("three")])
        let saved: [SavedAnswer] = [
            .clear("one", "same", version: 2, seq: 1), .clear("two", "same", seq: 2), .clear("three", "same", seq: 3),
        ]
        let result = definition.reconcile(saved, now: Self.now)
        #expect(result.askedAgain == ["one"], "its text is no answer any more")
        #expect(result.kept == ["two"])
        #expect(Array(result.invalid.keys) == ["three"])
    }

    @Test("For any saved answers and any change of the steps, the laws of reconcile hold", arguments: 0..<40)
    func laws(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let definition = try FlowDefinition.any(using: &random)
            let saved = SavedAnswer.any(using: &random)
            let result = definition.reconcile(saved, now: Self.now)
            try checkLaws(result, of: saved, definition)
        }
    }

    private func checkLaws(_ result: Reconciliation, of saved: [SavedAnswer], _ definition: FlowDefinition) throws {
        for step in Set(saved.map(\.step)) {
            #expect(result.fates(of: step).count == 1, "every saved answer is in exactly one place")
        }
        let named = result.kept + result.askedAgain + Array(result.invalid.keys) + result.aside
        #expect(Set(named) == Set(saved.map(\.step)) && named.count == Set(named).count)
        #expect(Set(result.draft.answers.keys) == Set(result.kept), "only what is kept is an answer")
        let open = definition.steps.map(\.id).first { !result.kept.contains($0) }
        #expect(result.cursor == open, "nothing beyond the first unanswered step")
        for step in definition.steps where step.isSecret { #expect(result.draft.text(of: step.id) == nil) }

        let again = definition.reconcile(saved.filter { result.kept.contains($0.step) }, now: Self.now)
        #expect(again.kept == result.kept && again.cursor == result.cursor)
        #expect(again.askedAgain.isEmpty && again.invalid.isEmpty && again.aside.isEmpty)
        #expect(again.draft.clearAnswers == result.draft.clearAnswers)
    }
}

extension Reconciliation {
    /// The steps, in their order, whose saved answers have a fate like this.
    private func steps(where matches: (Fate) -> Bool) -> [String] {
        draft.definition.steps.map(\.id).filter { fates[$0].map(matches) ?? false }
    }

    var kept: [String] { steps { $0 == .kept } }
    var askedAgain: [String] { steps { if case .askedAgain = $0 { true } else { false } } }
    var aside: [String] { fates.filter { $0.value == .aside }.keys.sorted() }
    var invalid: [String: FieldMessage] {
        fates.compactMapValues { if case .invalid(let message) = $0 { message } else { nil } }
    }
}

extension Reconciliation {
    /// Every place in which a step is listed, once for each time.
    fileprivate func fates(of step: String) -> [ReconcileTests.Row.Fate] {
        kept.filter { $0 == step }.map { _ in .kept } + askedAgain.filter { $0 == step }.map { _ in .askedAgain }
            + (invalid[step].map { [.invalid($0.id)] } ?? []) + aside.filter { $0 == step }.map { _ in .aside }
    }
}

private let names = ["one", "code", "two", "three", "four", "five"]

extension FlowDefinition {
    /// Some steps in some order and version.
    fileprivate static func any(using random: inout SeededRandom) throws -> FlowDefinition {
        let count = Int.random(in: 1...names.count, using: &random)
        let steps = names.shuffled(using: &random).prefix(count).map { name -> FlowStep in
            let version = Int.random(in: 1...2, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return .secret(name, version: version)
            case 1: return .secret(name, version: version, isKept: false)
            case 2: return .differing(name)
            default: return .clear(name, version: version)
            }
        }
        return try FlowDefinition(.register, steps: steps)
    }
}

extension SavedAnswer {
    /// Some answers in every state, some of them twice.
    fileprivate static func any(using random: inout SeededRandom) -> [SavedAnswer] {
        (0..<Int.random(in: 0...8, using: &random)).map { seq in
            SavedAnswer(
                step: names.randomElement(using: &random) ?? "one", version: Int.random(in: 1...2, using: &random),
                kept: Kept.allCases.randomElement(using: &random) ?? .clear,
                value: [nil, "a", "b", "bad"].randomElement(using: &random) ?? nil,
                error: [nil, nil, nil, "server.rejected"].randomElement(using: &random) ?? nil, seq: seq,
                answeredAt: now,
                usableUntil: [nil, now + .seconds(1), now + .seconds(-1)].randomElement(using: &random) ?? nil)
        }
    }
}
