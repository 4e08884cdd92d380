public import Foyer

/// What a story leaves behind, by which two ways of telling it are compared.
private struct Ending: Equatable, CustomStringConvertible {
    let status: SavedFlow.Status?
    let answers: [String: String]
    let effects: [ScriptedNetwork.Effect]
    let people: [String]

    /// Whether the flow came to an end that somebody wanted.
    var isEnd: Bool { status == .finished || status == .cancelled }

    var description: String {
        let answers = answers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let end = status?.rawValue ?? "not begun"
        return "status \(end), answers \(answers), accepted \(effects.map(\.fields)), people \(people)"
    }
}

/// Plays a story once as it stands, then once more for each place between two moves, where the program is killed and
/// started again; and expects that it ends alike each time: same answers, same person, accepted once. A story that leads
/// to no end, neither a flow that the network has accepted nor one that was given up, is a failure, too.
///
/// An input is one transaction, so that a kill in the midst of it leaves what a kill before or after it leaves. After a
/// kill, what is asked once more is answered as before, `expect` is passed over, and at the end everything is delivered.
///
/// - Parameters:
///   - story: the moves of somebody who comes to an end.
///   - definitions: the app's own steps, as for `Foyer.open`.
///   - answers: what the network does with what is sent, as for `ScriptedNetwork`; anew for each telling.
///   - program: what the app does when it starts; registers, unless given.
/// - Returns: how many kills the story has survived.
/// - Throws: `ScriptFailure`, which names the place of the kill; `StoreError`.
@FlowActor @discardableResult
public func killAnywhere(
    _ story: [Move], definitions: [FlowDefinition] = [], answers: [ScriptedNetwork.Answer] = [],
    program: @escaping ScriptedPresenter.Program = ScriptedPresenter.registration
) async throws -> Int {
    let tell = { @FlowActor (moves: [Move]) async throws -> Ending in
        let store = try TestStore(definitions: definitions, network: ScriptedNetwork(answers))
        let presenter = ScriptedPresenter(store, program: program)
        try await presenter.play(moves)
        return try await ending(of: presenter, in: store)
    }
    let whole = try await tell(story)
    guard whole.isEnd else {
        throw ScriptFailure("Without any kill the story leads to no end: \(whole).")
    }
    // Before the first answer there is nothing to go on with.
    for place in story.indices.dropFirst() {
        let rest = story[place...].filter { if case .expect = $0 { false } else { true } }
        let when = "Killed before move \(place + 1), \(story[place]): "
        let killed: Ending
        do {
            killed = try await tell(story[..<place] + [.kill] + rest)
        } catch let failure as ScriptFailure {
            throw ScriptFailure(when + failure.description)
        }
        guard killed == whole else {
            throw ScriptFailure(when + "the story ends with \(killed), and without a kill with \(whole).")
        }
    }
    return max(0, story.count - 1)
}

@FlowActor
private func ending(of presenter: ScriptedPresenter, in store: TestStore) async throws -> Ending {
    let foyer = try await store.open()
    _ = try await foyer.sync(waitingUpTo: .seconds(600))
    var flow: SavedFlow?
    if let id = presenter.flow { flow = try await foyer.flows.flow(id) }
    let people = try await foyer.users.users().map {
        [$0.email, $0.userName, $0.firstName, $0.lastName, $0.status.rawValue].compactMap(\.self).joined(separator: " ")
    }
    let ending = Ending(
        status: flow?.status,
        answers: (flow?.answers ?? []).reduce(into: [:]) { $0[$1.step] = $1.value ?? $1.kept.rawValue },
        effects: store.network.effects, people: people)
    try await foyer.close()
    return ending
}
