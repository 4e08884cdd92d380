import FoyerModel
import Testing

@Suite struct FlowDraftTests {
    @Test("The first step without an answer is the next question, whatever the order of answering")
    func cursor() throws {
        var draft = FlowDraft(try FlowDefinition.sample)
        #expect(draft.firstOpenStep == "one")
        for (step, next) in [("two", "one"), ("one", "code"), ("code", "three"), ("three", nil)] {
            #expect(try draft.problem(entering: "the \(step)", at: step) == nil)
            #expect(draft.firstOpenStep == next)
        }
    }

    @Test("The step after another follows the order of asking, answered or not")
    func stepAfter() throws {
        let draft = FlowDraft(try FlowDefinition.sample)
        #expect(["one", "code", "two", "three", "four"].map(draft.step(after:)) == ["code", "two", "three", nil, nil])
    }

    @Test("An accepted text is kept as its step prepares it")
    func accepted() throws {
        var draft = FlowDraft(try FlowDefinition.sample)
        _ = try draft.problem(entering: "AbC", at: "one")
        #expect(draft.text(of: "one") == "abc")
        #expect(draft.clearAnswers["one"] == "abc")
        #expect(draft.errors.isEmpty && draft.prefilled.isEmpty)
    }

    @Test("A refused text is shown again with its message, and is no answer")
    func refused() throws {
        var draft = FlowDraft(try FlowDefinition.sample)
        #expect(try draft.problem(entering: "bad", at: "one") == FieldMessage("field.required"))
        #expect(draft.errors == ["one": FieldMessage("field.required")])
        #expect(draft.text(of: "one") == "bad")
        #expect(draft.firstOpenStep == "one" && draft.clearAnswers == ClearAnswers())
    }

    @Test("The next good text takes message and refused text away")
    func mended() throws {
        var draft = FlowDraft(try FlowDefinition.sample)
        _ = try draft.problem(entering: "bad", at: "one")
        _ = try draft.problem(entering: "good", at: "one")
        #expect(draft.errors.isEmpty && draft.prefilled.isEmpty && draft.text(of: "one") == "good")
    }

    @Test("A refused correction is what the field shows; the earlier answer stays the answer")
    func refusedCorrection() throws {
        var draft = FlowDraft(try FlowDefinition.sample)
        _ = try draft.problem(entering: "good", at: "one")
        #expect(try draft.problem(entering: "bad", at: "one") != nil)
        #expect(draft.text(of: "one") == "bad", "the message is about this text")
        #expect(draft.clearAnswers["one"] == "good" && draft.firstOpenStep == "code")
        #expect(draft.credentials.texts["wire_one"] == "good")
    }

    @Test("An answer that a later correction of an earlier one makes wrong is asked again, its text shown")
    func madeWrong() throws {
        var draft = FlowDraft(
            try FlowDefinition(.register, steps: [.clear("one"), .differing("two"), .clear("three")]))
        for (step, text) in [("one", "a"), ("two", "b"), ("three", "c")] {
            #expect(try draft.problem(entering: text, at: step) == nil)
        }
        #expect(try draft.problem(entering: "b", at: "one") == nil)
        #expect(draft.firstOpenStep == "two" && draft.text(of: "two") == "b")
        #expect(draft.errors == ["two": FieldMessage("server.rejected")])
        #expect(draft.clearAnswers["three"] == "c")
        #expect(try draft.problem(entering: "d", at: "two") == nil)
        #expect(draft.firstOpenStep == nil && draft.errors.isEmpty)
    }

    @Test("A secret is never shown, neither an accepted one nor a refused one", arguments: ["good", "bad"])
    func secrets(text: String) throws {
        var draft = FlowDraft(try FlowDefinition.sample)
        _ = try draft.problem(entering: text, at: "code")
        #expect(draft.text(of: "code") == nil)
        #expect(draft.prefilled.isEmpty && draft.clearAnswers == ClearAnswers())
        #expect(!"\(draft)".contains(text))
    }

    @Test("A rule sees the answers of the earlier steps, and never those of later ones")
    func earlierOnly() throws {
        var draft = FlowDraft(
            try FlowDefinition(
                .register, steps: [.clear("one"), .secret("code"), .differing("two"), .differing("three")]))
        _ = try draft.problem(entering: "same", at: "three")
        #expect(try draft.problem(entering: "same", at: "two") == nil, "the later answer is not looked at")
        _ = try draft.problem(entering: "first", at: "one")
        _ = try draft.problem(entering: "hidden", at: "code")
        #expect(try draft.problem(entering: "first", at: "two") != nil)
        #expect(try draft.problem(entering: "hidden", at: "two")?.id == "flow.repeated_secret", "no rule has seen it")
        _ = try draft.problem(entering: "other", at: "two")
        #expect(try draft.problem(entering: "other", at: "two") == nil, "an answer is not held against itself")
    }

    @Test(
        "A readable answer is never the text of a secret, in whatever spacing, also after that was sealed",
        arguments: ["four words", " four words ", "four\u{00A0}words"], [true, false])
    func repeatedSecret(text: String, isSealed: Bool) throws {
        var draft = FlowDraft(try FlowDefinition(.register, steps: [.clear("one"), .secret("code"), .clear("two")]))
        #expect(try draft.problem(entering: "first", at: "one") == nil)
        #expect(try draft.problem(entering: "four words", at: "code") == nil)
        if isSealed { draft.forgetSealedSecrets() }
        for step in ["one", "two"] {
            #expect(try draft.problem(entering: text, at: step)?.id == "flow.repeated_secret")
            draft.keepUnsent(text, at: step)
        }
        #expect(draft.clearAnswers["one"] == "first" && draft.clearAnswers["two"] == nil)
        #expect(draft.unsent.isEmpty && draft.prefilled.isEmpty)
        #expect(try draft.problem(entering: "four other words", at: "two") == nil)
    }

    @Test("The credentials have the wire names in the order of asking, secrets apart")
    func credentials() throws {
        var draft = FlowDraft(try FlowDefinition.sample)
        for step in ["three", "two", "code", "one"] { _ = try draft.problem(entering: "x\(step)", at: step) }
        let credentials = draft.credentials
        #expect(credentials.fields.map(\.key) == ["wire_one", "wire_code", "wire_two", "wire_three"])
        #expect(credentials.texts == ["wire_one": "xone", "wire_two": "xtwo", "wire_three": "xthree"])
        #expect(credentials.secrets["wire_code"].map(String.init(revealing:)) == "xcode")
    }
}

@Suite struct UnsentTextTests {
    @Test("A text that was typed and not confirmed is shown, and is no answer")
    func kept() throws {
        var draft = FlowDraft(try FlowDefinition.sample)
        _ = try draft.problem(entering: "x", at: "one")
        draft.keepUnsent("y", at: "one")
        draft.keepUnsent("z", at: "two")
        #expect(draft.text(of: "one") == "y" && draft.text(of: "two") == "z")
        #expect(draft.clearAnswers["one"] == "x" && draft.firstOpenStep != "one")
        #expect(draft.unsent == ["one": "y", "two": "z"])
    }

    @Test("It is forgotten when something is entered, emptied, or typed as it was; a secret is never kept")
    func forgotten() throws {
        var draft = FlowDraft(try FlowDefinition.sample)
        _ = try draft.problem(entering: "x", at: "one")
        for text in ["x", ""] {
            draft.keepUnsent("y", at: "one")
            draft.keepUnsent(text, at: "one")
            #expect(draft.unsent.isEmpty)
        }
        draft.keepUnsent("y", at: "one")
        _ = try draft.problem(entering: "bad", at: "one")
        #expect(draft.unsent.isEmpty && draft.text(of: "one") == "bad")
        draft.keepUnsent("hunter2", at: "code")
        draft.keepUnsent("y", at: "no such step")
        #expect(draft.unsent.isEmpty)
    }
}
