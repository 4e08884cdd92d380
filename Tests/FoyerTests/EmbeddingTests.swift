import Foyer
import FoyerApp
import FoyerMockNetwork
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite struct EmbeddingTests {
    /// Variables of the environment, and the files that follow from them.
    struct Row: Codable, Sendable, CustomTestStringConvertible {
        let testDescription: String
        let variables: [String: String]
        let database: String?
        let keyFile: String?
    }

    @Test(
        "The files lie where the XDG specification says; a value that is not absolute is ignored",
        arguments: [
            Row(
                testDescription: "home alone", variables: ["HOME": "/home/ada"],
                database: "/home/ada/.local/share/foyer/foyer.db", keyFile: "/home/ada/.local/state/foyer/key"),
            Row(
                testDescription: "both folders",
                variables: ["HOME": "/home/ada", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"],
                database: "/data/foyer/foyer.db", keyFile: "/state/foyer/key"),
            Row(
                testDescription: "one folder", variables: ["HOME": "/home/ada", "XDG_DATA_HOME": "/data"],
                database: "/data/foyer/foyer.db", keyFile: "/home/ada/.local/state/foyer/key"),
            Row(
                testDescription: "relative folders",
                variables: ["HOME": "/home/ada", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "./state"],
                database: "/home/ada/.local/share/foyer/foyer.db", keyFile: "/home/ada/.local/state/foyer/key"),
            Row(
                testDescription: "empty folders",
                variables: ["HOME": "/home/ada", "XDG_DATA_HOME": "", "XDG_STATE_HOME": ""],
                database: "/home/ada/.local/share/foyer/foyer.db", keyFile: "/home/ada/.local/state/foyer/key"),
            Row(
                testDescription: "folders without a home",
                variables: ["XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"],
                database: "/data/foyer/foyer.db", keyFile: "/state/foyer/key"),
            Row(testDescription: "nothing", variables: [:], database: nil, keyFile: nil),
            Row(testDescription: "a relative home", variables: ["HOME": "ada"], database: nil, keyFile: nil),
        ])
    func locations(row: Row) async {
        await #expect(processExitsWith: .success) { [row = row as Row] in
            for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] { unsetenv(name) }
            for (name, value) in row.variables { setenv(name, value, 1) }
            #expect((try? Locations.defaultDatabase()) == row.database)
            #expect((try? Locations.defaultKeyFile()) == row.keyFile)
            if row.database == nil {
                let error = #expect(throws: StoreError.self) { try Locations.defaultDatabase() }
                #expect(error?.code == .unsafePath && error?.message.contains("HOME") == true)
            }
        }
    }

    @Test("An app that blocks its main thread still gets a registration, and the whole program's, to its end")
    func blockedMainThread() async {
        await #expect(processExitsWith: .success) {
            alarm(60)  // Whoever needs the main thread waits forever.
            let isBlocked = Atomic(false)
            let main = Task { @MainActor in
                isBlocked.store(true, ordering: .sequentiallyConsistent)
                while isBlocked.load(ordering: .sequentiallyConsistent) { usleep(1_000) }
            }
            while !isBlocked.load(ordering: .sequentiallyConsistent) { await Task.yield() }
            let outcomes = try await registerWholly()
            #expect(outcomes == ["finished ada"])
            let message = try await useTheProgram()
            #expect(message == "Welcome, Ada.")
            isBlocked.store(false, ordering: .sequentiallyConsistent)
            await main.value
        }
    }
}

@FlowActor
private func registerWholly() async throws -> [String] {
    let told = Told(), premises = try Premises()
    defer { withExtendedLifetime(premises) {} }
    let foyer = try await premises.open()
    let host = told.register(in: foyer)
    try await host.answer(contentsOf: ada)
    try await host.deliver(within: .seconds(5))
    return told.outcomes
}

@FlowActor
private func useTheProgram() async throws -> String? {
    var message: String?
    try await AppStory.tell { story in
        try await story.press("accept", AccountType.setup.rightTexts)
        for text in ada.dropFirst(3) { try await story.fill(text) }
        try await story.deliver()
        message = story.message
    }
    return message
}
