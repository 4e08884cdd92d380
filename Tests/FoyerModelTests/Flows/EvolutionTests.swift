import FoyerModel
import Testing

/// One base definition, every combination of up to three changes of it, and every saved prefix: the laws of reconcile.
@Suite struct EvolutionTests {
    /// A step of the family, as data: changes are made to it before the definition is built.
    struct Blueprint: Hashable {
        var id: String
        var version = 1
        var formerly: [String] = []
        var isSecret = false
        var isTight = false
        var condition: String?
        var canUpgrade = false

        /// A tight step takes long texts only.
        func step() -> FlowStep {
            let condition = condition, isTight = isTight
            let upgrade: FlowStep.Upgrade = { text, version in "\(text)+\(version)" }
            let field = sampleField("wire_\(id)")
            let applies: FlowStep.Condition = { earlier in
                condition.map { earlier[$0]?.hasPrefix("yes") == true } ?? true
            }
            guard !isSecret else {
                return FlowStep(secret: id, version: version, formerly: formerly, field: field, applies: applies) {
                    entered, _ throws(FieldMessage) in
                    guard !isTight || entered.withBytes(\.count) > 10 else { throw FieldMessage("field.required") }
                    return entered
                }
            }
            return FlowStep(
                id, version: version, formerly: formerly, field: field, applies: applies,
                upgrade: canUpgrade ? upgrade : nil
            ) { text, _ throws(FieldMessage) in
                guard !isTight || text.utf8.count > 10 else { throw FieldMessage("field.required") }
                return text
            }
        }
    }

    enum Change: CaseIterable {
        case addFirst, addMiddle, addLast, removeFirst, removeSecond, removeLast, rename, reorder, tighten, condition
        case versionUp, versionUpWithUpgrade, versionDown

        func apply(to steps: inout [Blueprint]) {
            switch self {
            case .addFirst: steps.insert(Blueprint(id: "new-first"), at: 0)
            case .addMiddle: steps.insert(Blueprint(id: "new-middle"), at: steps.count / 2)
            case .addLast: steps.append(Blueprint(id: "new-last"))
            case .removeFirst: if steps.count > 1 { steps.removeFirst() }
            case .removeSecond: if steps.count > 2 { steps.remove(at: 1) }
            case .removeLast: if steps.count > 1 { steps.removeLast() }
            case .rename:
                steps[0].formerly.append(steps[0].id)
                steps[0].id = "renamed-\(steps[0].formerly.count)"
            case .reorder: steps.reverse()
            case .tighten: steps[steps.count - 1].isTight = true
            case .condition: if steps.count > 1 { steps[steps.count - 1].condition = steps[0].id }
            case .versionUp: steps[0].version += 1
            case .versionUpWithUpgrade:
                steps[steps.count / 2].version += 1
                steps[steps.count / 2].canUpgrade = true
            case .versionDown: steps[steps.count - 1].version -= 1
            }
        }
    }

    private static let base = [
        Blueprint(id: "a", version: 2), Blueprint(id: "b", version: 2), Blueprint(id: "s", version: 2, isSecret: true),
        Blueprint(id: "c", version: 2), Blueprint(id: "d", version: 2),
    ]

    /// Every sequence of up to three changes.
    private static let histories: [[Change]] = {
        let one = Change.allCases.map { [$0] }
        let two = one.flatMap { first in Change.allCases.map { first + [$0] } }
        let three = two.flatMap { first in Change.allCases.map { first + [$0] } }
        return [[]] + one + two + three
    }()

    private static func definition(_ history: [Change]) throws -> FlowDefinition {
        var steps = base
        for change in history { change.apply(to: &steps) }
        return try FlowDefinition(.register, steps: steps.map { $0.step() })
    }

    /// The answers that the base program has saved after so many steps.
    private static func saved(_ count: Int) -> [SavedAnswer] {
        base.prefix(count).enumerated().map { index, step in
            step.isSecret
                ? .sealed(step.id, until: .seconds(60), version: 2, seq: index + 1)
                : .clear(step.id, "\(index == 0 ? "yes" : "no")-\(step.id)", version: 2, seq: index + 1)
        }
    }

    @Test("Whatever up to three changes do to the steps, every saved prefix is taken over by the laws")
    func laws() throws {
        var cases = 0
        for history in Self.histories {
            // Changes that collide, such as two new steps of one name, make no definition.
            guard let definition = try? Self.definition(history) else { continue }
            for count in 0...Self.base.count {
                let violations = Self.violations(of: definition, Self.saved(count))
                if !violations.isEmpty { Issue.record("\(history), \(count) answers: \(violations)") }
                cases += 1
            }
        }
        #expect(cases >= 5_000)
    }

    /// The laws that a reconciliation breaks; it is also the negative control's judge.
    private static func violations(of definition: FlowDefinition, _ saved: [SavedAnswer]) -> [String] {
        let result = definition.reconcile(saved, now: SavedAnswer.now)
        return violations(of: result, saved)
            + (isIdempotent(result, saved, definition) ? [] : ["reconciling again gives something else"])
    }

    private static func violations(of result: Reconciliation, _ saved: [SavedAnswer]) -> [String] {
        var violations: [String] = []
        if Set(result.fates.keys) != Set(saved.map(\.step)) { violations.append("an answer has no fate") }
        let asked = result.draft.applicableSteps.map(\.id)
        let usable = Set(
            result.fates.compactMap { name, fate in
                switch fate {
                case .kept, .upgraded: result.renamed[name] ?? name
                default: nil
                }
            })
        if result.cursor != asked.first(where: { !usable.contains($0) }) {
            violations.append("the next step is not the first that is asked and has no usable answer")
        }
        if Set(result.draft.answers.keys) != usable { violations.append("the answers are not those that are usable") }
        return violations
    }

    /// Saving what was usable under today's names, and reconciling that, changes nothing.
    private static func isIdempotent(
        _ result: Reconciliation, _ saved: [SavedAnswer], _ definition: FlowDefinition
    ) -> Bool {
        let again = definition.reconcile(saved, now: SavedAnswer.now)
        guard again.fates == result.fates, again.cursor == result.cursor else { return false }
        let resaved = result.draft.answers.compactMap { id, answer -> SavedAnswer? in
            guard let version = definition[step: id]?.version else { return nil }
            return switch answer {
            case .clear(let text): .clear(id, text, version: version)
            case .secret, .sealed: .sealed(id, until: .seconds(60), version: version)
            }
        }
        let next = definition.reconcile(resaved, now: SavedAnswer.now)
        return next.fates.values.allSatisfy { $0 == .kept } && next.cursor == result.cursor
            && next.draft.clearAnswers == result.draft.clearAnswers
    }

    @Test("A step that was removed and comes back finds its answer again", arguments: 0..<5)
    func removedAndBack(position: Int) throws {
        var steps = Self.base
        let removed = steps.remove(at: position)
        let saved = Self.saved(5)
        let without = try FlowDefinition(.register, steps: steps.map { $0.step() })
        #expect(without.reconcile(saved, now: SavedAnswer.now).fates[removed.id] == .aside)
        // As the store has it in between: the same row, marked as set aside.
        let aside = saved.map { answer in
            answer.step != removed.id
                ? answer
                : SavedAnswer(
                    step: answer.step, version: answer.version, kept: .aside, value: answer.value, error: nil,
                    seq: answer.seq, answeredAt: answer.answeredAt, usableUntil: answer.usableUntil)
        }
        let back = try Self.definition([]).reconcile(aside, now: SavedAnswer.now)
        #expect(back.fates.values.allSatisfy { $0 == .kept } && back.cursor == nil)
    }

    @Test("Each law would be noticed broken")
    func controls() throws {
        let definition = try Self.definition([.rename, .tighten])
        let saved = Self.saved(5)
        let good = definition.reconcile(saved, now: SavedAnswer.now)
        #expect(Self.violations(of: good, saved).isEmpty)
        #expect(!Self.violations(of: good, saved + [.clear("unknown", "x")]).isEmpty, "an answer without a fate")
        let other = try Self.definition([.addFirst]).reconcile(saved, now: SavedAnswer.now)
        #expect(!Self.isIdempotent(good, saved, try Self.definition([.removeFirst])), "another definition")
        #expect(!Self.isIdempotent(other, Self.saved(2), try Self.definition([.addFirst])), "other answers")
    }

    @Test("A condition sees the answers of earlier steps only, and what it hides is kept but not sent")
    func conditions() throws {
        let steps = [
            Blueprint(id: "late", condition: "a"), Blueprint(id: "a"), Blueprint(id: "b", condition: "a"),
        ]
        let definition = try FlowDefinition(.register, steps: steps.map { $0.step() })
        for (answer, asked) in [("yes", ["a", "b"]), ("no", ["a"])] {
            let result = definition.reconcile(
                [.clear("a", answer, seq: 1), .clear("b", "word", seq: 2), .clear("late", "x", seq: 3)],
                now: SavedAnswer.now)
            #expect(result.draft.applicableSteps.map(\.id) == asked, "a step cannot depend on a later one")
            #expect(result.skipped == ["late", "a", "b"].filter { !asked.contains($0) })
            #expect(result.fates["b"] == .kept && result.cursor == nil)
            #expect(result.draft.credentials.texts.keys.sorted() == asked.map { "wire_\($0)" })
        }
    }

    @Test("An answer lives as long as its step says, and its end asks that step alone")
    func lifetimes() throws {
        let step = FlowStep("short", field: sampleField("s"), lifetime: .seconds(60)) { text, _ in text }
        let definition = try FlowDefinition(.register, steps: [step, .clear("long")])
        let saved: [SavedAnswer] = [.clear("short", "x", seq: 1), .clear("long", "y", seq: 2)]
        let early = definition.reconcile(saved, now: SavedAnswer.now + .milliseconds(59_999))
        #expect(early.fates.values.allSatisfy { $0 == .kept })
        let late = definition.reconcile(saved, now: SavedAnswer.now + .seconds(60))
        #expect(late.fates == ["short": .askedAgain(.expired), "long": .kept] && late.cursor == "short")
        let later = definition.reconcile(saved, now: SavedAnswer.now + .seconds(30 * 86400))
        #expect(later.fates["long"] == .askedAgain(.expired))
    }

    @Test("A former name must not be another step's")
    func formerNames() throws {
        let field = sampleField("x")
        let renamed = FlowStep("mail", formerly: ["one"], field: field) { text, _ in text }
        #expect(throws: FlowDefinitionError.repeatedStep("one")) {
            try FlowDefinition(.register, steps: [.clear("one"), renamed])
        }
    }

    @Test("What became of the answers is told in words that need no knowledge of the program")
    func words() throws {
        var steps = Self.base
        for change in [Change.addFirst, .removeLast, .versionUp] { change.apply(to: &steps) }
        steps[1].version = 3
        let definition = try FlowDefinition(.register, steps: steps.map { $0.step() })
        let sentences = definition.reconcile(Self.saved(5), now: SavedAnswer.now).sentences
        #expect(
            sentences == [
                "WIRE_NEW-FIRST: not asked before.",
                "WIRE_A: asked again, because the question has changed.",
                "d: this question is not asked any more; your answer is kept aside.",
            ])
    }
}
