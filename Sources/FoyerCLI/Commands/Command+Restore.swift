import Foyer

extension Command {
    static let dbRestore = Command(
        name: "restore", summary: "put a backup in the place of the database, which no program may be using",
        details: """
            The backup is checked first, and one of an older schema is brought up to date. What the database holds now is \
            lost. Submissions that wait in the backup may have been delivered since: they are sent again under the same \
            keys, and the server answers as it did then, for as long as it remembers them. Neither the key nor the file \
            of the mock network is part of a backup. Copying a file over a database in use, as cp does, damages it.
            """,
        arguments: [Argument(name: "FILE", isFile: true)], flags: [Flag.yes],
        examples: ["foyer db restore monday.db", "foyer db restore monday.db --yes"],
        exitCodes: [.nothingThere, .cannotCreate, .ioError, .configuration]
    ) { invocation in
        let options = invocation.options, backup = invocation.arguments[0], path = try options.databasePath()
        let contents = try await AccountStore.contents(at: backup)
        if !options.yes { try confirm(backup, contents, try await presentContents(at: path), at: path, options) }
        try await Progress.showing("Restoring", options) { progress in
            try await AccountStore.restore(backup, to: path, progress: progress.update)
        }
        if options.json {
            Output.json([
                "path": .string(path), "users": JSONValue(contents.users), "flows": JSONValue(contents.flows),
                "submissions": JSONValue(contents.submissions),
            ])
        } else {
            Output.exact(path)
        }
        Output.error("The database holds \(contents.words) now. Its key and the mock network are as they were.")
        Output.next("`foyer doctor` checks it; `foyer sync` delivers what waits.")
        return .done
    }

    /// What would be lost, in words; nil where there is no database.
    private static func presentContents(at path: String) async throws -> String? {
        do throws(StoreError) {
            return try await AccountStore.contents(at: path).words
        } catch {
            if error.code == .noDatabase { return nil }
            return "something that cannot be read (\(error.message))"
        }
    }

    @MainActor
    private static func confirm(
        _ backup: String, _ contents: StoreContents, _ present: String?, at path: String, _ options: Options
    ) throws(Failure) {
        Output.error("\(backup) holds \(contents.words).")
        Output.error(
            present.map { "It takes the place of \(path), which holds \($0). Nothing brings that back." }
                ?? "There is no database at \(path) yet.")
        guard isConfirmed("Restore it? Type yes: ", options, taking: ["yes"]) else {
            throw Failure(
                code: "not_confirmed",
                message: "Nothing was restored. `foyer db restore \(backup) --yes` does not ask.", exit: .usage)
        }
    }
}

extension StoreContents {
    fileprivate var words: String {
        "\(users) people, \(flows) unfinished flows and \(submissions) waiting submissions"
    }
}
