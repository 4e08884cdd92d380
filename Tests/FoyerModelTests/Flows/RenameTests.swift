import FoyerModel
import Testing

@Suite struct RenameTests {
    @Test("Of answers under several names of one step the newest counts, and the others need no word")
    func rolledBackAndForward() throws {
        let definition = try FlowDefinition(
            .register,
            steps: [
                FlowStep("handle", formerly: ["userName"], field: .userName) { text, _ in text },
                FlowStep("lastName", field: .lastName) { text, _ in text },
            ])
        let answers: [SavedAnswer] = [.clear("handle", "older", seq: 1), .clear("userName", "newer", seq: 2)]
        for saved in [answers, answers.reversed()] {
            let result = definition.reconcile(saved, now: SavedAnswer.now)
            #expect(result.draft.text(of: "handle") == "newer" && result.cursor == "lastName")
            #expect(result.fates == ["handle": .aside, "userName": .kept])
            #expect(result.sentences == [])
        }
        let again: [SavedAnswer] = [.clear("handle", "newest", seq: 3), .clear("userName", "newer", seq: 2)]
        #expect(definition.reconcile(again, now: SavedAnswer.now).draft.text(of: "handle") == "newest")
    }
}
