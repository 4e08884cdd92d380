import FoyerModel
import Testing

/// Submissions in JSON that parsers read differently, or choke on.
@Suite struct HostileBodyTests {
    private func answer(_ body: [UInt8]) async throws -> Answer {
        try await Server().send(SubmissionRequest(key: newKey(), kind: .register, body: Secret(utf8: body)))
    }

    @Test(
        "Half a pair of surrogates, a raw control character and bytes that are no text are malformed",
        arguments: [Array(#"\ud800"#.utf8), Array(#"\udc00\ud800"#.utf8), [1], [0xED, 0xA0, 0x80], [0xC0, 0xAF]])
    func noText(text: [UInt8]) async throws {
        let body = Array(#"{"fields":{"user_name":""#.utf8) + text + Array(#""},"schema":1}"#.utf8)
        #expect(try await answer(body).status == 400)
    }

    @Test("A NUL that was escaped reaches the rule of its field, and is refused there")
    func nul() async throws {
        let server = try Server()
        for (field, error) in [
            (Form.Field.email, "email_field email.forbidden_character"),
            (.userName, "user_name username.bad_character"),
            (.first, "first_name name.forbidden_character"), (.last, "last_name name.forbidden_character"),
            (.password, "password password.forbidden_character"),
        ] {
            let text = field == .email ? "ada\0@example.org" : "ada\0four words"
            let answer = try await server.send(Form(field, text).request())
            #expect(answer.status == 422 && answer.errors == [error])
        }
        #expect(try await server.accounts() == "0")
    }

    @Test("Nesting without end is malformed, within a second", arguments: ["[", "{\"a\":"])
    func depth(text: String) async throws {
        let server = try Server()
        try await server.send(Form().request())
        let body = Secret(#"{"schema":1,"fields":{},"new":"# + String(repeating: text, count: 100_000))
        var quickest = Duration.seconds(60)
        // Other tests want the processor, too: the quickest of a few tells what it takes.
        for _ in 0..<5 where quickest >= .seconds(1) {
            let start = ContinuousClock.now
            let answer = try await server.send(SubmissionRequest(key: newKey(), kind: .register, body: body))
            #expect(answer.status == 400)
            quickest = min(quickest, ContinuousClock.now - start)
        }
        #expect(quickest < .seconds(1))
    }

    @Test("A body in which a name stands twice is refused: whoever checked it may have read the other one")
    func twice() async throws {
        let server = try Server()
        for body in [
            #"{"fields":{"user_name":"first","user_name":"y"},"schema":1}"#,
            #"{"schema":1,"fields":{},"fields":{"user_name":"y"}}"#,
            #"{"schema":1,"fields":{},"secrets":{"password":{"mode":"plain","mode":"plain","text":"x"}}}"#,
        ] {
            let answer = try await server.send(SubmissionRequest(key: newKey(), kind: .register, body: Secret(body)))
            #expect(answer.status == 400, "\(body)")
        }
    }
}
