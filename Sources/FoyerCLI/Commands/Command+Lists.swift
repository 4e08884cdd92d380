import Foyer

extension Command {
    static let users = Command(
        name: "users", takes: 0...2, usage: "users [show ID]", summary: "the people in the store",
        examples: ["foyer users", "foyer users show 4c21f0a9 --json"]
    ) { invocation in
        let foyer = try await invocation.options.open(creating: false)
        let users: [User]
        if let id = try invocation.argument(after: "show") {
            guard let foyer else { throw Failure(StoreError(.notFound, "There is no person \"\(id)\".")) }
            users = [try await foyer.users.user(endingIn: id)]
        } else {
            users = try await foyer?.users.users() ?? []
        }
        if invocation.options.json {
            Output.json(["users": .array(users.map { JSONValue($0) })])
        } else {
            let masks = Output.isTerminal && !invocation.options.show
            func shown(_ text: String?) -> String { text.map { masks ? Masking.masked($0) : $0 } ?? "-" }
            Output.table(
                ["ID", "USER NAME", "E-MAIL", "FIRST NAME", "LAST NAME", "STATUS"],
                users.map {
                    [
                        $0.id.ending, $0.userName ?? "-", shown($0.email), shown($0.firstName), shown($0.lastName),
                        $0.status.rawValue,
                    ]
                })
        }
        return .done
    }

    static let status = Command(
        name: "status", takes: 0...0, usage: "", summary: "where things stand, and what to do next", examples: ["foyer"]
    ) { invocation in
        let foyer = try await invocation.options.open(creating: false)
        let status = try await (foyer?.dependencies).map { StatusViewModel(withServices: $0) }?.status()
        let open = status?.openFlows ?? 0, waiting = status?.waiting ?? 0
        if invocation.options.json {
            Output.json(["open": JSONValue(open), "waiting": JSONValue(waiting)])
            return .done
        }
        Output.line("\(open) unfinished, \(waiting) waiting for the network.")
        let next =
            open > 0 ? "`foyer resume` continues" : waiting > 0 ? "`foyer sync` delivers" : "`foyer register` begins"
        Output.line("Next: \(next). `foyer help` lists everything.")
        return .done
    }
}
