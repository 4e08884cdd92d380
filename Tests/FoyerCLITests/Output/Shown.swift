import Foundation
import TestSupport
import Testing

@testable import FoyerCLI

extension Household {
    /// What a terminal of that width shows of a command, which has to end well.
    func shown(
        _ arguments: String..., columns: UInt16 = 80, adding environment: [String: String] = [:], exit: Int32 = 0
    ) async throws -> String {
        let terminal = try PseudoTerminal(
            try program(arguments).adding(environment), columns: columns)
        #expect(try await terminal.wait() == .code(exit), "\(terminal.transcript)")
        return terminal.transcript.replacing("\r\n", with: "\n")
    }
}

/// Texts that people see, as they were when somebody last looked at them closely.
enum Golden {
    /// Compares lines with a file; with `RECORD_GOLDEN` they are taken for what is expected from now on.
    static func compare(_ lines: [String], with name: String) throws {
        let file = "Tests/FoyerCLITests/Golden/Output/\(name).txt", text = lines.map { $0 + "\n" }.joined()
        expectEqual(text, (try? packageFile(file)) ?? "", file)
        guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil else { return }
        try text.write(to: packageURL().appending(path: file), atomically: true, encoding: .utf8)
    }
}

extension Style {
    /// A terminal of that width, with these variables in its environment.
    static func terminal(_ columns: Int = 80, _ variables: [String: String] = ["TERM": "xterm"]) -> Style {
        Style(columns: columns, choice: .auto) { variables[$0] }
    }

    static let pipe = Style(columns: nil, choice: .auto) { ["TERM": "xterm"][$0] }
}
