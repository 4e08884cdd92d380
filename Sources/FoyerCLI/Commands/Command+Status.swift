import Foyer

extension Command {
    static let status = Command(
        name: "status", summary: "where things stand, and what to do next", flags: [Flag.show], examples: ["foyer"]
    ) { invocation in
        let foyer = try await invocation.options.openIfPresent()
        var glance = Glance()
        if let foyer { glance = try await Glance(of: foyer) }
        if invocation.options.json {
            Output.json(glance.members)
            return .done
        }
        glance.lines(invocation.options).forEach(Output.line)
        Output.line("Next: `\(glance.next.command)` \(glance.next.purpose). `foyer help` lists everything.")
        return .done
    }
}

/// Where things stand: what is unfinished, what waits and why, and what is wrong.
@MainActor
struct Glance {
    /// An open flow, and the name or address of its person.
    struct Unfinished {
        let flow: SavedFlow
        var userName: String?
        var email: String?
    }

    private(set) var open: [Unfinished] = []
    private(set) var openCount = 0
    private(set) var waiting: [Submission] = []
    /// The people of those that wait.
    private var users: [UUIDv7: User] = [:]
    private(set) var problems: [Failure] = []
    /// How many of each are shown.
    private static let most = 5

    init() {}

    init(of foyer: AccountStore) async throws {
        let flows = try await foyer.flows.unfinishedFlows()
        let submissions = try await foyer.outbox.waiting()
        let openFlows = flows.filter { $0.status == .open }
        openCount = openFlows.count
        for flow in openFlows.prefix(Self.most) { open.append(await Self.named(flow, in: foyer)) }
        waiting = submissions.elements
        for id in waiting.prefix(Self.most).compactMap(\.userID) { users[id] = try? await foyer.users.user(id) }
        if let problem = await foyer.keyProblem() { problems.append(Failure(problem)) }
        let damaged = (flows.damaged + submissions.damaged).count
        if damaged > 0 {
            problems.append(
                Failure(
                    code: "damaged_rows",
                    message: damaged == 1
                        ? "1 row cannot be read; it is left out of all lists."
                        : "\(damaged) rows cannot be read; they are left out of all lists.",
                    exit: .configuration))
        }
    }

    /// The flow with whose it is; without, where its answers cannot be read.
    private static func named(_ flow: SavedFlow, in foyer: AccountStore) async -> Unfinished {
        let answers = (try? await foyer.flows.flow(flow.id))?.answers ?? []
        func value(_ step: String) -> String? { answers.first { $0.step == step }?.value }
        return Unfinished(flow: flow, userName: value("userName"), email: value("email"))
    }

    /// The one command to type.
    var next: (command: String, purpose: String) {
        if !problems.isEmpty { return ("foyer doctor", "tells what to do about it") }
        if openCount > 0 { return ("foyer resume", "continues") }
        if let parked = waiting.first(where: { $0.state.name == .parked }),
            waiting.allSatisfy({ $0.state.name == .parked })
        {
            return ("foyer outbox show \(parked.id.ending)", "tells what holds it up")
        }
        return waiting.isEmpty ? ("foyer register", "begins") : ("foyer sync", "delivers")
    }

    // MARK: In words

    func lines(_ options: Options) -> [String] {
        let now = FoyerEnvironment.system.now()
        var lines = ["\(openCount) unfinished, \(waiting.count) waiting for the network."]
        lines += open.map { unfinished in
            let flow = unfinished.flow
            let who = unfinished.userName ?? unfinished.email.map { Output.masked($0, options) } ?? "somebody"
            let place = flow.nextStep.map { "at \($0)" } ?? "everything answered"
            let time = RelativeTime.text(flow.updatedAt, from: now)
            return "  \(flow.id.ending)  \(who): \(flow.kind.words), \(place), \(time)\(flow.refusalWords)"
        }
        lines += more(openCount, "foyer flows")
        lines += waiting.prefix(Self.most).map { submission in
            let user = submission.userID.flatMap { users[$0]?.userName }.map { "\($0): " } ?? ""
            return "  \(submission.id.ending)  \(user)\(submission.kind.words), \(submission.why ?? "")"
        }
        lines += more(waiting.count, "foyer outbox")
        return lines + problems.map { "Wrong: \($0.message)" }
    }

    private func more(_ count: Int, _ command: String) -> [String] {
        count > Self.most ? ["  and \(count - Self.most) more: `\(command)`"] : []
    }

    var members: [String: JSONValue] {
        [
            "open": JSONValue(openCount), "waiting": JSONValue(waiting.count),
            "flows": .array(open.map { JSONValue($0.flow) }), "submissions": .array(waiting.map { JSONValue($0) }),
            "problems": .array(
                problems.map { .object(["code": .string($0.code), "message": .string($0.message)]) }),
            "next": .string(next.command),
        ]
    }
}

extension FlowKind {
    /// What people call it.
    var words: String {
        switch self {
        case .register: "registration"
        case .login: "sign-in"
        case .reset: "forgotten password"
        }
    }
}
