import FoyerMockNetwork
import FoyerModel
import TestSupport
import Testing

@Suite struct ReplayTests {
    /// Requests whose answers are stored.
    enum Case: CaseIterable, Sendable {
        case accepted, refused, taken, login, wrongLogin, reset

        func request(_ key: UUIDv7) -> SubmissionRequest {
            switch self {
            case .accepted: Form(email: "b@example.org", userName: "bob").request(key: key)
            case .refused: Form(email: "nonsense", userName: "bob").request(key: key)
            case .taken: Form(email: "b@example.org").request(key: key)
            case .login: Form().request(.login, key: key)
            case .wrongLogin: Form(password: "not the password").request(.login, key: key)
            case .reset: Form(password: nil).request(.reset, key: key)
            }
        }
    }

    @Test(
        "A key that was seen gets its answer again, also from a later start, and nothing happens twice",
        arguments: Case.allCases)
    func replay(kind: Case) async throws {
        let server = try Server()
        try await server.send(Form().request())
        let key = newKey()
        let first = try await server.send(kind.request(key))
        let accounts = try await server.accounts()
        #expect(!first.isReplay)
        for again in try await [
            server.send(kind.request(key)), Answer(server.another().submit(kind.request(key))),
        ] {
            #expect(again.isReplay)
            #expect(again.status == first.status)
            #expect(again.text == first.text)
        }
        #expect(try await server.accounts() == accounts)
        #expect(try await server.sql("SELECT count(*) FROM answers WHERE key = '\(key)'") == "1")
    }

    @Test("A refusal is stored: the same key is refused again, even when the name is free by now")
    func storedRefusal() async throws {
        let server = try Server()
        try await server.send(Form().request())
        let key = newKey()
        #expect(try await server.send(Form(email: "b@example.org").request(key: key)).status == 409)
        _ = try await server.sql("DELETE FROM accounts")
        #expect(try await server.send(Form(email: "b@example.org").request(key: key)).status == 409)
        #expect(try await server.send(Form(email: "b@example.org").request()).status == 201)
    }

    @Test("A key that comes back with another body or another kind is refused, and names no field")
    func keyReuse() async throws {
        let server = try Server()
        let key = newKey()
        try await server.send(Form().request(key: key))
        for request in [Form(first: "Eve").request(key: key), Form().request(.login, key: key)] {
            let answer = try await server.send(request)
            #expect(answer.status == 422)
            #expect(answer.body?.type == "/problems/key-reuse")
            #expect(answer.errors.isEmpty)
            #expect(!answer.isReplay)
        }
        #expect(try await server.accounts() == "1")
        #expect(try await server.send(Form().request(key: key)).status == 201)
    }

    @Test("A malformed body uses no key up")
    func malformedKey() async throws {
        let server = try Server()
        let key = newKey()
        let malformed = SubmissionRequest(key: key, kind: .register, body: Secret("{"))
        #expect(try await server.send(malformed).status == 400)
        #expect(try await server.send(Form().request(key: key)).status == 201)
    }

    @Test("One key that comes many times at once makes one account", arguments: [1, 3])
    func manyAtOnce(servers: Int) async throws {
        let server = try Server()
        let networks = (0..<servers).map { _ in server.another() }
        let request = Form().request()
        let answers = try await answers(of: networks, times: 8) { _ in request }
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(answers.allSatisfy { $0.status == 201 })
        #expect(answers.filter { !$0.isReplay }.count == 1)
        #expect(try await server.accounts() == "1")
    }

    @Test("One name that comes many times at once, under keys of their own, is one account", arguments: [1, 3])
    func oneNameAtOnce(servers: Int) async throws {
        let server = try Server()
        let networks = (0..<servers).map { _ in server.another() }
        let answers = try await answers(of: networks, times: 8) { Form(email: "a\($0)@example.org").request() }
        #expect(answers.filter { $0.status == 201 }.count == 1)
        #expect(answers.filter { $0.errors == ["user_name taken"] }.count == 7)
        #expect(try await server.accounts() == "1")
    }

    @Test("Two processes that register one name at once make one account")
    func processes() async throws {
        let server = try Server()
        let path = server.path
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
                        let form = Form(email: "a\(number)@example.org")
                        let status = try await MockNetwork(path: path).submit(form.request()).status
                        guard status == 201 || status == 409 else { throw Failure("\(status)") }
                    }
                }
            }
        }
        #expect(try await server.accounts() == "1")
        #expect(try await server.sql("SELECT count(*) FROM answers") == "3")
    }

    private func answers(
        of networks: [MockNetwork], times: Int, request: @escaping @Sendable (Int) -> SubmissionRequest
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for number in 0..<times {
                let network = networks[number % networks.count]
                group.addTask { Answer(try await network.submit(request(number))) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
