import FoyerFlow
import FoyerModel
import TestSupport
import Testing

@FlowActor
@Suite struct StepFlowTests {
    // MARK: Going back and on

    @Test("Going back shows the earlier answers, and answering again shows the next question again")
    func backAndForth() async throws {
        try await Story.tell { story in
            try await story.answer("ada", "pw")
            try await story.send(.back)
            #expect(story.stack == ["name", "code"] && story.field?.value == nil, "a secret is not shown")
            try await story.send(.back)
            #expect(story.stack == ["name"] && story.field?.value == "ada")
            #expect(story.host.screen?.actions == [.accept, .cancel], "there is nothing before the first question")
            try await story.answer("grace")
            #expect(story.stack == ["name", "code"], "the next question, although it is answered")
            try await story.answer("pw")
            #expect(story.stack == ["name", "code", "town"])
        }
    }

    @Test("Going back writes nothing")
    func backIsNoCommit() async throws {
        try await Story.tell { story in
            try await story.answer("ada")
            try await story.send(.back)
            #expect(await story.commits == 1)
        }
    }

    @Test("Whoever goes back from the review gets to the review again, and nothing is sent before it is asked for")
    func reviewAfterGoingBack() async throws {
        try await Story.tell(resuming: try await saved(answers: 3)) { story in
            for _ in 0..<3 { try await story.send(.back) }
            try await story.answer("grace", "pw", "New York")
            #expect(story.stack.last == "review")
            #expect(try await story.flow().status == .open)
            #expect(try await story.send(.submit) == .taken)
            #expect(try await story.flow().status == .submitted && story.stack == ["submitted"])
        }
    }

    @Test("Text that was typed over an answer and not confirmed is offered again, and the review shows the answer")
    func unsentText() async throws {
        let start = try await saved(answers: 3)
        try await Story.tell(resuming: start) { story in
            try await story.send(.back)
            try await story.send(.back, "Paris")
            #expect(story.stack.last == "code")
        }
        let flow = try #require(try await start.store.flow(start.flow.id))
        #expect(flow.unsent == ["town": "Paris"])
        try await Story.tell(resuming: (flow, start.store)) { story in
            guard case .review(let lines) = story.host.screen?.content else { throw Failure("no review") }
            #expect(lines.map(\.value) == ["my name", nil, "my town"])
            try await story.send(.back)
            #expect(story.field?.value == "Paris")
        }
    }

    // MARK: Resuming

    @Test("A saved flow goes on at exactly the next question, with the earlier ones behind it", arguments: 0...2)
    func resume(count: Int) async throws {
        try await Story.tell(resuming: try await saved(answers: count)) { story in
            #expect(story.stack == Array(SampleCoordinator.steps[...count]))
            #expect(story.field?.value == nil && story.field?.error == nil)
            for step in SampleCoordinator.steps[count...] { try await story.answer("my \(step)") }
            #expect(try await story.flow().status == .submitted)
            let texts = try await story.flow().answers.map(\.value)
            #expect(texts == ["my name", nil, "my town"])
        }
    }

    @Test("With nothing left to ask a resumed flow shows all answers but the secret, and sends nothing by itself")
    func resumeAtReview() async throws {
        let saved = try await saved(answers: 3)
        let commits = await saved.store.commits.count
        try await Story.tell(resuming: saved) { story in
            #expect(story.stack == SampleCoordinator.steps + ["review"])
            guard case .review(let lines) = story.host.screen?.content else { return #expect(Bool(false), "no review") }
            #expect(lines.map(\.key) == SampleCoordinator.steps)
            #expect(lines.map(\.value) == ["my name", nil, "my town"])
            try await story.host.reload()
            #expect(await story.commits == commits)
        }
    }

    @Test("A submitted flow waits: there is nothing to enter")
    func resumeSubmitted() async throws {
        let saved = try await saved(answers: 3)
        await saved.store.change(saved.flow.id, to: .submitted)
        let flow = try #require(try await saved.store.flow(saved.flow.id))
        try await Story.tell(resuming: (flow, saved.store)) { story in
            #expect(story.stack == ["submitted"] && story.host.screen?.isWaitingForInput == false)
            for action in [ScreenAction.accept, .submit, .back, .cancel] {
                let result = try await story.send(action, "x")
                #expect(result == .stale)
            }
        }
    }

    // MARK: The network's verdict

    @Test("An accepted flow ends once, with the person")
    func accepted() async throws {
        try await Story.tell { story in
            try await story.answer("ada", "pw", "London")
            try await story.host.reload()
            #expect(story.outcomes.told.isEmpty, "nothing was decided yet")
            await story.store.change(try #require(story.host.flowIDs.first), to: .finished)
            for _ in 0..<3 { try await story.host.reload() }
            #expect(story.outcomes.told == ["finished ada"])
            #expect(story.host.screen?.isWaitingForInput != true)
        }
    }

    @Test("A refused flow is open again at the refused question, with its text and message; the others are kept")
    func rejected() async throws {
        try await Story.tell { story in
            try await story.answer("ada", "pw", "London")
            let key = try await story.flow().submissionID, next = Story.environment.makeID()
            await story.store.refuse(["name"], of: story.host.flowIDs.first, next: next)
            try await story.host.reload()
            #expect(story.stack == ["name"])
            #expect(story.field?.value == "ada" && story.field?.error == FieldMessage("username.taken"))
            try await story.answer("grace")
            #expect(story.stack == ["submitted"], "nothing else is asked")
            let finish = try #require(await story.store.commits.last?.finish)
            #expect(finish.submission.id == next && next != key, "a corrected form has a key of its own")
            #expect(finish.submission.body.contains("grace") && finish.submission.body.contains("London"))
            #expect(story.outcomes.told.isEmpty)
        }
    }

    @Test("Of several refused answers each is asked, and only they")
    func severalRefusals() async throws {
        try await Story.tell { story in
            try await story.answer("ada", "pw", "London")
            await story.store.refuse(["name", "code"], of: story.host.flowIDs.first, next: Story.environment.makeID())
            try await story.host.reload()
            try await story.answer("grace")
            #expect(story.stack == ["name", "code"] && story.field?.error == FieldMessage("username.taken"))
            #expect(story.field?.value == nil, "a secret is not shown")
            try await story.answer("other pw")
            #expect(try await story.flow().status == .submitted)
        }
    }

    // MARK: Other processes

    @Test("Whoever was too late is told, and sees the newer answers after loading again")
    func movedOn() async throws {
        let first = try await saved(answers: 1)
        try await Story.tell(resuming: first) { mine in
            try await Story.tell(resuming: first) { theirs in
                try await theirs.answer("their pw")
                let error = await #expect(throws: StoreError.self) { try await mine.send(.accept, "my pw") }
                #expect(error?.code == .movedOn && mine.stack == ["name", "code"])
                try await mine.host.reload()
                #expect(mine.stack == theirs.stack)
                try await mine.answer("London")
            }
        }
    }

    @Test("A flow that was given up elsewhere is cancelled once, and takes no input any more", arguments: 1...3)
    func cancelledElsewhere(answers: Int) async throws {
        try await Story.tell { story in
            try await story.answer(contentsOf: ["ada", "pw", "London"].prefix(answers))
            let input = try? story.input(.accept, "x")
            _ = try await story.store.cancel(try #require(story.host.flowIDs.first), at: Story.environment.now())
            for _ in 0..<2 { try await story.host.reload() }
            #expect(story.outcomes.told == ["cancelled"])
            #expect(story.host.screen?.isWaitingForInput != true, "an answer would be lost")
            if let input { #expect(try await story.host.send(input) == .stale) }
        }
    }

    // MARK: Giving up

    @Test("Giving up ends the flow once, and nothing can be entered afterwards", arguments: 0...2)
    func cancel(answers: Int) async throws {
        try await Story.tell { story in
            try await story.answer(contentsOf: ["ada", "pw", "London"].prefix(answers))
            let id = try #require(story.host.flowIDs.first)
            #expect(try await story.send(.cancel) == .taken)
            #expect(story.outcomes.told == ["cancelled"])
            #expect(story.host.screen?.isWaitingForInput != true, "an answer would begin what was given up")
            #expect(try await story.store.flow(id)?.status == (answers == 0 ? nil : .cancelled))
            #expect(await story.commits == (answers == 0 ? 0 : answers + 1), "what was never written is not cancelled")
            try await story.host.reload()
            #expect(story.outcomes.told == ["cancelled"])
        }
    }

    @Test("A coordinator without a finish keeps the last answer, too, and shows the review")
    func withoutFinish() async throws {
        let root = StepCoordinator<User>(slot: "sample", definition: try .sample, environment: Story.environment)
        root.start()
        let store = MemoryStore()
        let host = FlowHost(root: root, flows: store, users: store, environment: Story.environment)
        for step in SampleCoordinator.steps {
            let screen = try #require(host.screen)
            #expect(
                try await host.send(ScreenInput(for: screen, .accept, values: [step: Secret("the \(step)")])) == .taken)
        }
        #expect(await store.commits.flatMap(\.answers).map(\.step) == SampleCoordinator.steps)
        #expect(root.flow.status == .open && root.stack.last?.name == "review")
    }
}

extension Story {
    func answer(contentsOf texts: some Sequence<String>) async throws {
        for text in texts { try await answer(text) }
    }
}

extension MemoryStore {
    /// Opens a flow again with these answers refused, as a settled verdict does.
    func refuse(_ steps: [String], of id: UUIDv7?, next: UUIDv7) {
        guard let id else { return }
        change(id, to: .open, submission: next) { answers in
            answers.map { answer in
                guard steps.contains(answer.step) else { return answer }
                return SavedAnswer(
                    step: answer.step, version: answer.version, kept: answer.kept, value: answer.value,
                    error: "username.taken", seq: answer.seq, answeredAt: answer.answeredAt)
            }
        }
    }
}

extension FlowChange {
    var finish: Finish? {
        if case .submitted(let finish) = outcome { finish } else { nil }
    }
}
