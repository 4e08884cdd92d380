import Foundation
import TestSupport
import Testing

/// What the running program still holds of a password while it waits for something else.
@Suite(
    "The password in memory",
    .enabled("reading the memory of a program that refuses it takes CAP_SYS_PTRACE") { try ProcessMemory.isReadable },
    .disabled(if: isSanitized), .timeLimit(.minutes(5)))
struct MemoryTests {
    /// How the password goes to the network.
    enum Way: CaseIterable, CustomTestStringConvertible {
        /// Sealed to the server's key, to the mock network inside the program.
        case sealedInProcess
        /// Sealed to the server's key, over HTTP.
        case sealedOverHTTP
        /// As it is, to the mock network inside the program.
        case plainInProcess
        /// As it is, over HTTP.
        case plainOverHTTP

        var testDescription: String { "\(self)" }
        var isSealed: Bool { self == .sealedInProcess || self == .sealedOverHTTP }

        /// How many copies may be left once it was sent: nobody can overwrite the one in libcurl's buffers.
        var copies: Int { self == .plainOverHTTP ? 1 : 0 }
    }

    /// What the program shows may come a moment before the thread that has written it lets go of it.
    private static func checkForgotten(
        by process: Int32, but copies: Int = 0, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let memory = ProcessMemory(of: process), deadline = ContinuousClock.now + .seconds(10)
        var places = try await memory.places(of: Person.passwordForms)
        while places.count > copies, .now < deadline { places = try await memory.places(of: Person.passwordForms) }
        #expect(places.count <= copies, "\(places)", sourceLocation: place)
    }

    /// A household with an account, whose other programs send a password in that way.
    private struct Scene {
        let household: Household
        let arguments: [String]
        private let server: PseudoTerminal?

        init(_ way: Way) async throws {
            household = try Household()
            var arguments: [String] = [], server: PseudoTerminal?, state = household.mockNetwork
            if way == .sealedOverHTTP || way == .plainOverHTTP {
                state = household.folder.appending("accounts")
                let started = try household.terminal("mock-server", "--state", state)
                try await started.expect("Accounts are kept")
                let url = started.transcript.split(whereSeparator: \.isNewline).first { $0.hasPrefix("http://") }
                arguments += ["--network", String(try #require(url))]
                server = started
            }
            var grace = Person.grace
            grace.password = "four unrelated words"
            #expect(try await household.foyer(["register"] + arguments, lines: grace.answers).exit == .code(0))
            if way.isSealed {
                let file = try await household.sealingKey(in: state)
                arguments += ["--sealing-key", file]
            }
            self.arguments = arguments
            self.server = server
        }

        func terminal(_ command: String...) throws -> PseudoTerminal {
            try household.terminal(command + arguments)
        }

        /// Nothing of the password is left in the server's own program either, nor in any file.
        func check(_ way: Way) async throws {
            if way.isSealed, let server { try await MemoryTests.checkForgotten(by: server.process) }
            try household.checkSecrecy()
        }
    }

    @Test("An answered password is gone at the next question, sealed or not, composed by us or by the keyboard")
    func answered() async throws {
        for way in [Way.sealedInProcess, .plainInProcess] {
            for password in [Person.password, Person.decomposedPassword] {
                let scene = try await Scene(way)
                let terminal = try scene.terminal("register")
                try await terminal.answer(0..<2)
                try await terminal.expect("[3/5] Password: ")
                try terminal.send(password + "\r")
                try await terminal.expect("[4/5] First Name: ")
                try await Self.checkForgotten(by: terminal.process)
                try terminal.send("Ada\r")
                try await terminal.expect("[5/5] Last Name: ")
                try await Self.checkForgotten(by: terminal.process)
                try await scene.check(way)
            }
        }
    }

    @Test("A password that a rule has refused is gone when it is asked again")
    func refused() async throws {
        let scene = try await Scene(.sealedInProcess)
        let terminal = try scene.terminal("register")
        try await terminal.answer(0..<2)
        for refused in [Person.password + "\u{1}", Person.password + String(repeating: "x", count: 300)] {
            try await terminal.expect("[3/5] Password: ")
            try terminal.send(refused + "\r")
        }
        try await terminal.expect("[3/5] Password: ")
        try await Self.checkForgotten(by: terminal.process)
        try await scene.check(.sealedInProcess)
    }

    @Test(
        "A sealed password leaves nothing behind when it was sent; copies of others are counted",
        arguments: Way.allCases)
    func sent(way: Way) async throws {
        let scene = try await Scene(way)
        let terminal = try scene.terminal("login")
        try await terminal.type([("[1/2] User Name: ", Person.grace.userName), ("[2/2] Password: ", Person.password)])
        try await terminal.expect("These sign-in details are not right.")
        try await terminal.expect("[2/2] Password: ")
        try await Self.checkForgotten(by: terminal.process, but: way.copies)
        try await scene.check(way)
    }

    @Test(
        "The whole program forgets the password of an account that it has made",
        arguments: [Way.sealedInProcess, .sealedOverHTTP])
    func app(way: Way) async throws {
        let scene = try await Scene(way)
        let app = try scene.terminal("app")
        try await app.type([
            ("Email Address: ", Person.ada.email), ("User Name: ", Person.ada.userName),
            ("Password: ", Person.decomposedPassword),
        ])
        try await app.expect("[4/5] First Name: ")
        try await Self.checkForgotten(by: app.process)
        try app.send("Ada\r")
        try await app.type([("[5/5] Last Name: ", "Lovelace")])
        try await app.expect("[Done] ")
        try await Self.checkForgotten(by: app.process)
        try await scene.check(way)
        #expect(try await scene.household.states().last == "finished 5 accepted active 0")
    }

    @Test(
        "Whoever delivers what another program has queued holds nothing of it afterwards",
        arguments: [Way.sealedInProcess, .sealedOverHTTP])
    func watch(way: Way) async throws {
        let scene = try await Scene(way)
        let watch = try scene.terminal("sync", "--watch", "--json")
        try await watch.expect(#""event":"waiting""#)
        try await scene.household.foyer(
            ["register"] + scene.arguments + ["--network", "offline"], lines: Person.ada.answers)
        try await watch.expect(#""outcome":"accepted""#)
        try await Self.checkForgotten(by: watch.process)
        try await scene.check(way)
    }

    @Test("Inputs that come as JSON lines leave no more behind than typed ones")
    func jsonLines() async throws {
        for password in [Person.password, Person.decomposedPassword] {
            let scene = try await Scene(.sealedInProcess)
            let app = try Dialogue(try scene.household.program(["app", "--json"] + scene.arguments))
            var shown = try JSONPresenterTests.Shown(try await app.nextLine())
            var values = JSONPresenterTests.setup
            for refused in [password + "\u{1}", password + String(repeating: "x", count: 300)] {
                values["password"] = refused
                shown = try .init(try await app.answer(to: try shown.input("accept", values)))
                #expect(shown.result == "refused")
                try await Self.checkForgotten(by: app.process)
                shown = try .init(try await app.answer(to: try shown.input("dismissAlert")))
            }
            values["password"] = password
            for (action, values) in [
                ("accept", values), ("accept", ["firstName": "Ada"]), ("accept", ["lastName": "L"]),
            ] {
                shown = try .init(try await app.answer(to: try shown.input(action, values)))
                #expect(shown.result == "taken", "\(shown.line)")
                try await Self.checkForgotten(by: app.process)
            }
            try await scene.check(.sealedInProcess)
            #expect(try await scene.household.states().last == "finished 5 accepted active 0")
            _ = try await app.end()
        }
    }

    @Test("A text that the program does hold is found")
    func control() async throws {
        let scene = try await Scene(.plainInProcess)
        let terminal = try scene.terminal("register")
        try await terminal.expect("[1/5] Email Address: ")
        try terminal.send("Planted.Text@Example.org\r")
        try await terminal.expect("[2/5] User Name: ")
        let memory = ProcessMemory(of: terminal.process)
        #expect(try await !memory.places(of: [Array("Planted.Text@Example.org".utf8)]).isEmpty)
        #expect(try await memory.places(of: [Array("Planted.Text@Example.com".utf8)]).isEmpty)
        // What was given to the program lies at the end of all its memory.
        let given = try await memory.places(of: [Array("HOME=\(scene.household.folder.path)".utf8)])
        #expect(given.contains { $0.contains("[stack]") }, "\(given)")
    }

    @Test("What lies in guarded memory is found there, however often it is looked for, and nowhere else")
    func guardedControl() async throws {
        let scene = try await Scene(.plainInProcess)
        let terminal = try scene.terminal("register")
        try await terminal.answer(0..<3)
        try await terminal.expect("[4/5] First Name: ")
        let key = Array(try Data(contentsOf: URL(filePath: scene.household.keyFile)))
        let memory = ProcessMemory(of: terminal.process)
        for _ in 0..<20 {
            let places = try await memory.places(of: [key]).count
            #expect(places == 1)
        }
    }
}
