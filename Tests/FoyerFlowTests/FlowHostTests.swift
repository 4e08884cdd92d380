import FoyerFlow
import FoyerModel
import Testing

@FlowActor
@Suite struct FlowHostTests {
    @Test("Each accepted answer is written by one commit, and then the next question is shown")
    func oneCommitPerInput() async throws {
        try await Story.tell { story in
            #expect(story.stack == ["name"])
            #expect(await story.commits == 0, "nothing is written before the first answer")
            for (answered, step) in SampleCoordinator.steps.enumerated() {
                #expect(story.host.screen?.id == "sample/\(step)")
                #expect(story.host.screen?.progress?.step == answered + 1 && story.host.screen?.progress?.count == 3)
                try await story.answer("my \(step)")
                #expect(await story.commits == answered + 1)
                #expect(try await story.flow().answers.map(\.step) == Array(SampleCoordinator.steps[...answered]))
            }
            #expect(story.stack == ["submitted"])
            #expect(try await story.flow().status == .submitted)
            #expect(story.outcomes.told.isEmpty, "the network has not decided yet")
        }
    }

    @Test("The last commit carries the person, the submission with the flow's key, and the tree")
    func finishIsOneCommit() async throws {
        try await Story.tell { story in
            try await story.answer("ada", "pw", "London")
            let change = try #require(await story.store.commits.last)
            guard case .submitted(let finish) = change.outcome else { return #expect(Bool(false), "not submitted") }
            #expect(finish.submission.id == change.flow.submissionID)
            #expect(finish.submission.body == #"{"fields":{"name":"ada","town":"London"},"schema":1}"#)
            #expect(finish.user?.userName == "ada" && change.answers.map(\.step) == ["town"])
            let flow = try await story.flow()
            #expect(change.tree.map(\.path) == ["sample"] && change.tree.first?.config == #"{"flow":"\#(flow.id)"}"#)
            #expect(change.flow.expiresAt == Story.environment.now() + .seconds(30 * 86400))
        }
    }

    /// An input that writes, and how the story gets there.
    enum Moment: CaseIterable { case firstAnswer, nextAnswer, secret, correction, lastAnswer, submit, cancel }

    @Test(
        "A failed commit leaves memory and screens as they were, and the same input then works",
        arguments: Moment.allCases)
    func failedCommit(moment: Moment) async throws {
        let start = moment == .submit ? try await saved(answers: 3) : nil
        try await Story.tell(resuming: start) { story in
            let input = try await Self.prepare(story, for: moment)
            let screens = story.host.screens, commits = await story.commits, revision = try await story.revision
            for code in [StoreError.Code.diskFull, .busy] {
                await story.store.failOnce(code)
                await #expect(throws: StoreError.self) { try await story.host.send(input) }
                #expect(story.host.screens == screens)
                #expect(await story.commits == commits && story.outcomes.told.isEmpty)
                #expect(try await story.revision == revision)
            }
            #expect(try await story.host.send(input) == .taken)
            #expect(await story.commits == commits + 1)
            #expect(story.host.screens != screens)
        }
    }

    private static func prepare(_ story: Story, for moment: Moment) async throws -> ScreenInput {
        switch moment {
        case .firstAnswer: break
        case .nextAnswer, .cancel: try await story.answer("ada", "pw")
        case .secret: try await story.answer("ada")
        case .correction:
            try await story.answer("ada")
            try await story.send(.back)
        case .lastAnswer: try await story.answer("ada", "pw")
        case .submit: #expect(story.stack.last == "review")
        }
        return try story.input(moment == .cancel ? .cancel : moment == .submit ? .submit : .accept, "again")
    }

    @Test("After a failed commit going on and going back work on the old answers")
    func memoryAfterFailure() async throws {
        try await Story.tell { story in
            try await story.answer("ada")
            try await story.send(.back)
            await story.store.failOnce()
            await #expect(throws: StoreError.self) { try await story.send(.accept, "grace") }
            #expect(story.field?.value == "ada")
            try await story.answer("ada", "pw", "London")
            #expect(try await story.flow().answers.map(\.value) == ["ada", nil, "London"])
        }
    }

    // MARK: Inputs that are not for this screen

    /// A screen that looks like the one that is shown, but is not it.
    enum Stale: CaseIterable { case olderRevision, newerRevision, otherScreen, actionNotOffered, none }

    @Test("An input for another screen, revision or action is stale and does nothing", arguments: Stale.allCases)
    func stale(kind: Stale) async throws {
        try await Story.tell { story in
            let shown = try #require(story.host.screen)
            let screen = kind == .otherScreen ? "sample/town" : shown.id
            let revision = shown.revision + (kind == .olderRevision ? -1 : kind == .newerRevision ? 1 : 0)
            let actions: [ScreenAction] = kind == .actionNotOffered ? [.back, .submit] : [.accept]
            for action in actions {
                let input = ScreenInput(
                    screen: screen, revision: revision, action: action.id,
                    values: ["name": Secret("ada"), "town": Secret("x")])
                #expect(try await story.host.send(input) == (kind == .none ? .taken : .stale))
            }
            #expect((story.host.screen == shown) == (kind != .none))
            #expect(await story.commits == (kind == .none ? 1 : 0))
        }
    }

    @Test("A doubled input is taken once", arguments: ["ada", "bad"])
    func doubled(text: String) async throws {
        try await Story.tell { story in
            let input = try story.input(.accept, text)
            let first = try await story.host.send(input)
            let screens = story.host.screens
            #expect(first == (text == "bad" ? .refused : .taken))
            #expect(try await story.host.send(input) == .stale)
            #expect(story.host.screens == screens)
            #expect(await story.commits == (text == "bad" ? 0 : 1))
        }
    }

    @Test("Inputs that come while another is written are handled one at a time, in the order in which they came")
    func oneAtATime() async throws {
        try await Story.tell { story in
            await story.store.hold()
            let shown = try #require(story.host.screen)
            var begun = 0
            let tasks = SampleCoordinator.steps.enumerated().map { place, step in
                Task { @FlowActor in
                    begun += 1
                    return try await story.host.send(
                        ScreenInput(
                            screen: "sample/\(step)", revision: shown.revision + place, action: ScreenAction.accept.id,
                            values: [step: Secret(step)]))
                }
            }
            while await story.store.waiting == 0 || begun < 3 { await Task.yield() }
            #expect(await story.store.waiting == 1 && story.stack == ["name"], "nothing is shown before it is written")
            await story.store.release()
            for task in tasks { #expect(try await task.value == .taken) }
            #expect(await story.store.commits.flatMap(\.answers).map(\.step) == SampleCoordinator.steps)
            #expect(await story.store.mostAtOnce == 1)
        }
    }

    @Test("Of two equal inputs at the same time one is taken, the other is stale")
    func race() async throws {
        try await Story.tell { story in
            let input = try story.input(.accept, "ada")
            async let one = story.host.send(input)
            async let two = story.host.send(input)
            let results = try await [one, two]
            #expect(results.contains(.taken) && results.contains(.stale))
            #expect(await story.commits == 1)
        }
    }

    // MARK: Refusals

    @Test("A refused answer is explained on its screen, shown again, and not written")
    func refusal() async throws {
        try await Story.tell { story in
            #expect(try await story.send(.accept, "bad") == .refused)
            #expect(story.field?.error == FieldMessage("field.required") && story.field?.value == "bad")
            #expect(await story.commits == 0 && story.stack == ["name"])
            try await story.answer("ada")
            #expect(story.field?.error == nil && story.stack == ["name", "code"])
        }
    }

    @Test("A refused secret is explained, and never shown")
    func refusedSecret() async throws {
        try await Story.tell { story in
            try await story.answer("ada")
            #expect(try await story.send(.accept, "bad") == .refused)
            #expect(story.field?.error != nil && story.field?.value == nil && story.field?.isSecret == true)
            #expect(await story.commits == 1)
        }
    }

    @Test("A refused correction is shown with its message, and the earlier answer stays saved")
    func refusedCorrection() async throws {
        try await Story.tell { story in
            try await story.answer("ada")
            try await story.send(.back)
            #expect(try await story.send(.accept, "bad") == .refused)
            #expect(story.field?.value == "bad" && story.field?.error != nil)
            #expect(try await story.flow().answers.map(\.value) == ["ada"])
        }
    }

    // MARK: Updates

    @Test(
        "A listener gets the screens of now and the later ones, and hears when the host is gone",
        .timeLimit(.minutes(1)))
    func updates() async throws {
        var updates: AsyncStream<ScreenTree>.Iterator?
        try await Story.tell { story in
            var iterator = story.host.updates.makeAsyncIterator()
            #expect(await iterator.next(isolation: FlowActor.shared) == story.host.screens)
            try await story.answer("ada")
            #expect(await iterator.next(isolation: FlowActor.shared) == story.host.screens)
            try await story.send(.accept, "bad")
            #expect(await iterator.next(isolation: FlowActor.shared)?.active?.fields.first?.error != nil)
            updates = iterator
        }
        #expect(await updates?.next(isolation: FlowActor.shared) == nil, "the host is gone")
    }

    @Test("Every listener gets the screens, and one that comes late gets those of now")
    func severalListeners() async throws {
        try await Story.tell { story in
            let early = story.host.updates
            try await story.answer("ada")
            let late = story.host.updates
            for updates in [early, late] {
                var iterator = updates.makeAsyncIterator()
                #expect(await iterator.next(isolation: FlowActor.shared) == story.host.screens)
            }
        }
    }
}
