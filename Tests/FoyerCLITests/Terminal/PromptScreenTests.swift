import Foundation
import TestSupport
import Testing

/// What stands in a window of 80 and of 40 columns after a registration with everything that can go wrong in one.
@Suite(.timeLimit(.minutes(2))) struct PromptScreenTests {
    @Test(
        "A registration with every kind of mistake looks as recorded in a wide and a narrow window",
        arguments: [80, 40] as [UInt16])
    func aRegistrationLooksLikeThis(columns: UInt16) async throws {
        let household = try Household()
        let terminal = try household.terminal(["register", "--network", "offline"], columns: columns)
        try await terminal.type([("[1/5] Email Address: ", "ada.lovelace")])
        try await terminal.expect("The @ is missing.")
        try await terminal.type([
            ("[1/5] Email Address: ", "Ada@Example.org"), ("[2/5] User Name: ", "ada l"),
            ("[2/5] User Name: ", Person.ada.userName), ("[3/5] Password: ", "short"),
            ("[3/5] Password: ", Person.password), ("[4/5] First Name: ", "アダ・ラブレス"), ("[5/5] Last Name: ", "<"),
            ("[4/5] First Name: ", "/nothing"),
        ])
        try await terminal.expect("There is no /nothing here.")
        try await terminal.type([("[4/5] First Name: ", "Ada")])
        try await terminal.expect("[5/5] Last Name: ")
        try terminal.send("Lovelace, who is the Countess of a place with a very long name")
        try await terminal.expect { $0.line.hasSuffix("long name") }
        try terminal.send("\u{3}")
        try await terminal.wait()
        let file = "Tests/FoyerCLITests/Golden/register-\(columns).txt"
        let seen = normalised(terminal.screen.text) + "\n"
        #expect(terminal.screen.unknown == [])
        #expect(seen.split(separator: "\n").allSatisfy { $0.count <= columns })
        expectEqual(seen, (try? packageFile(file)) ?? "", file)
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
            try seen.write(to: packageURL().appending(path: file), atomically: true, encoding: .utf8)
        }
    }
}
