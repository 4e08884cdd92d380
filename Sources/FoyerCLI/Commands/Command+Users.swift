import Foyer

extension Command {
    static let users = Command(
        name: "users", summary: "the people in the store; one of them erased, or written out", flags: [Flag.show],
        commands: [usersShow, usersErase, usersExport],
        examples: [
            "foyer users", "foyer users show ada --json", "foyer users erase ada@example.org",
            "foyer users export 4c21f0a9 --output ada.json",
        ]
    ) { invocation in
        let users = try await invocation.options.openIfPresent()?.users.users() ?? []
        list(users.elements, invocation.options)
        Output.mention(users.damaged)
        return .done
    }

    private static let usersShow = Command(
        name: "show", summary: "one person", arguments: [.person], flags: [Flag.show],
        examples: ["foyer users show ada --json", "foyer users show 4c21f0a9"], exitCodes: [.nothingThere]
    ) { invocation in
        let (_, user) = try await person(invocation, matching: .anyEnding)
        list([user], invocation.options)
        return .done
    }

    private static let usersErase = Command(
        name: "erase", summary: "take a person out of the store, with a proof that nothing is left",
        details: "Takes a whole user name, e-mail address or identifier; at a terminal also its last 8 characters.",
        arguments: [.person], flags: [Flag.yes, Flag.dryRun],
        examples: ["foyer users erase ada --dry-run", "foyer users erase ada@example.org"],
        exitCodes: [.nothingThere, .saved]
    ) { invocation in
        let (foyer, user) = try await person(invocation, matching: invocation.options.matchToDestroy)
        return try await erase(user, foyer, invocation.options)
    }

    private static let usersExport = Command(
        name: "export", summary: "everything about a person as one JSON object; never a secret",
        arguments: [.person], flags: [Flag.output],
        examples: ["foyer users export ada --output ada.json"],
        exitCodes: [.nothingThere, .cannotCreate, .ioError]
    ) { invocation in
        let (foyer, user) = try await person(invocation, matching: .anyEnding)
        return try await export(user, foyer, invocation.options)
    }

    @MainActor
    private static func person(
        _ invocation: Invocation, matching match: IdentifierMatch
    ) async throws -> (AccountStore, User) {
        guard let foyer = try await invocation.options.openIfPresent() else {
            throw Failure.nothingNamed("person")
        }
        return (foyer, try await foyer.storage.user(named: invocation.arguments[0], matching: match))
    }

    @MainActor
    private static func list(_ users: [User], _ options: Options) {
        if options.json { return Output.json(["users": .array(users.map { JSONValue($0) })]) }
        func personal(_ text: String?) -> Table.Cell { Table.Cell(personal: text, options) }
        Output.table(
            [
                "ID", Table.Column("USER NAME", shrinks: true), Table.Column("E-MAIL", shrinks: true),
                Table.Column("FIRST NAME", shrinks: true), Table.Column("LAST NAME", shrinks: true), "STATUS",
            ],
            users.map {
                [
                    Table.Cell($0.id.ending), Table.Cell($0.userName ?? "-"), personal($0.email),
                    personal($0.firstName), personal($0.lastName), Table.Cell($0.status.rawValue),
                ]
            })
    }

    @MainActor
    private static func erase(_ user: User, _ foyer: AccountStore, _ options: Options) async throws -> ExitCode {
        if options.dryRun { return try await tellErasure(of: user, foyer, options) }
        if !options.yes {
            Output.error("The person goes with all flows, answers and submissions. Nothing brings them back.")
            guard isConfirmed("Erase \(user.userName ?? "the person") (\(user.id.ending))? [y/N] ", options) else {
                throw Failure(
                    code: "not_confirmed",
                    message: "Nothing was erased. "
                        + "`foyer users erase \(options.nameToDestroy(user.id)) --yes` does not ask.",
                    exit: .usage)
            }
        }
        let erasure = try await Progress.showing("Erasing", options) { _ in try await foyer.erase(user.id) }
        if options.json {
            Output.json(["erasure": JSONValue(erasure)])
        } else {
            Output.line(
                "Erased, with \(erasure.flows) flows and \(erasure.submissions) submissions. The journal keeps that "
                    + "somebody was erased, as \(erasure.subject.ending).")
            if let proof = erasure.proof { describe(proof) }
        }
        Output.error(
            foyer.isPractice
                ? "The mock network's own file is another party's: the account in it stays, and so do backups."
                : "The account at the network stays, and so do backups.")
        if erasure.secrets > 0 {
            Output.error("`foyer key rotate` makes the passwords unreadable that older copies of the file hold.")
        }
        guard let remnants = erasure.remnants else {
            Output.next("`foyer users` lists who is left.")
            return .done
        }
        Output.error("\(remnants) The next `foyer` command tries again to clean the file.")
        return .saved
    }

    /// Says what erasing the person would take out.
    @MainActor
    private static func tellErasure(of user: User, _ foyer: AccountStore, _ options: Options) async throws -> ExitCode {
        let data = try await foyer.personalData(of: user.id)
        if options.json {
            Output.json(["flows": JSONValue(data.flows.count), "submissions": JSONValue(data.submissions.count)])
        } else {
            Output.line(
                "The person would go with \(data.flows.count) flows and \(data.submissions.count) submissions.")
        }
        return .done
    }

    @MainActor
    private static func describe(_ proof: ErasureProof) {
        let bytes = proof.files.reduce(0) { $0 + $1.bytes }
        Output.line(
            "\(proof.values) values were looked for in \(proof.files.count) files, \(bytes) bytes: "
                + "\(proof.hits) found.")
        if !proof.stillUsed.isEmpty {
            Output.line("In rows of others, too, and kept there: \(proof.stillUsed.joined(separator: ", ")).")
        }
        if proof.tooShort > 0 {
            Output.line("\(proof.tooShort) values are too short to look for; the rows that held them are gone.")
        }
    }
}

extension JSONValue {
    fileprivate init(_ erasure: Erasure) {
        self = .object([
            "subject": JSONValue(erasure.subject), "flows": JSONValue(erasure.flows),
            "submissions": JSONValue(erasure.submissions), "secrets": JSONValue(erasure.secrets),
            "proof": erasure.proof.map { JSONValue($0) } ?? .null, "remnants": JSONValue(erasure.remnants),
        ])
    }

    private init(_ proof: ErasureProof) {
        self = .object([
            "files": .array(
                proof.files.map { .object(["path": .string($0.path), "bytes": .integer($0.bytes)]) }),
            "values": JSONValue(proof.values), "hits": JSONValue(proof.hits),
            "still_used": .array(proof.stillUsed.map(JSONValue.string)), "too_short": JSONValue(proof.tooShort),
        ])
    }
}
