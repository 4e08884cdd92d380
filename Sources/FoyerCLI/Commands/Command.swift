/// One command of the program; parsing and help follow from this description.
struct Command: Sendable {
    let name: String
    /// How many arguments it takes.
    let takes: ClosedRange<Int>
    /// The name with its arguments, as the help shows it.
    let usage: String
    let summary: String
    let examples: [String]
    let run: @MainActor @Sendable (Invocation) async throws -> ExitCode

    /// What is typed, as the help shows it.
    var line: String { usage.isEmpty ? "foyer" : "foyer \(usage)" }

    static let all: [Command] = [
        .status, .register, .resume, .login, .forgotPassword, .app, .open, .flows, .show, .cancel, .users, .outbox,
        .sync,
        .doctor, .db, .key, .mockServer, .help, .version,
    ]
}
