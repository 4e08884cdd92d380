import Glibc
import TestSupport
import Testing

@Suite struct KilledStateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start() throws -> Dialogue {
        let files = [folder.appending("data/db"), folder.appending("key")]
        return try Dialogue(Program(try builtProduct("StatefulApp"), files))
    }

    @Test("What a subclass of a subclass declares is there after a kill, as it was when the last input was taken")
    func acknowledged() async throws {
        let first = try start()
        #expect(try await first.nextLine() == "email count 0 places ")
        #expect(try await first.answer(to: "ada@example.org") == "userName count 1 places email")
        #expect(try await first.answer(to: "ada") == "password count 2 places email,userName")
        // This input writes no answer, and what it changes is saved all the same.
        #expect(try await first.answer(to: "<") == "userName count 3 places email,userName,password")
        try await first.kill()

        let second = try start()
        #expect(try await second.nextLine() == "password count 3 places email,userName,password")
        try await second.kill()
    }

    @Test("A kill in the middle of an answer leaves the answer and the state together, or neither", arguments: 0..<6)
    func together(pause: useconds_t) async throws {
        let first = try start()
        _ = try await first.nextLine()
        _ = try await first.answer(to: "ada@example.org")
        try await first.send("ada")
        usleep(pause * 1_000)
        try await first.kill()

        let second = try start()
        let line = try await second.nextLine()
        #expect(["userName count 1 places email", "password count 2 places email,userName"].contains(line))
        try await second.kill()
    }
}
