import FoyerMockNetwork
import FoyerModel
import TestSupport
import Testing

@Suite struct RegistrationTests {
    @Test("A whole registration makes an account, and the answer names it")
    func accepted() async throws {
        let server = try Server()
        let answer = try await server.send(Form().request())
        #expect(answer.status == 201)
        #expect(answer.body?.schema == 1)
        #expect(answer.body?.verdict == "accepted")
        #expect(!answer.isReplay)
        #expect(
            try await server.sql("SELECT id, email, user_name, first_name, last_name FROM accounts")
                == "\(answer.body?.user?.id ?? "")|ada@example.org|ada.l|Ada|Lovelace")
    }

    @Test("Texts are trimmed as the rules say, and shown as they were typed")
    func normalised() async throws {
        let server = try Server()
        #expect(try await server.send(Form(email: " Ada@Example.ORG ", userName: " Ada.L ").request()).status == 201)
        #expect(
            try await server.sql("SELECT email, email_key, user_name, user_name_key FROM accounts")
                == "Ada@Example.ORG|ada@example.org|Ada.L|ada.l")
    }

    @Test(
        "What another account has is taken, however it is written",
        arguments: [
            ("ada@example.org", "grace", ["email_field taken"]), ("ADA@Example.org", "grace", ["email_field taken"]),
            (" ada@example.org", "grace", ["email_field taken"]), ("grace@example.org", "ada.l", ["user_name taken"]),
            ("grace@example.org", "ADA.L ", ["user_name taken"]),
            ("ada@example.org", "Ada.l", ["email_field taken", "user_name taken"]),
        ])
    func taken(email: String, userName: String, errors: [String]) async throws {
        let server = try Server()
        try await server.send(Form().request())
        let answer = try await server.send(Form(email: email, userName: userName).request())
        #expect(answer.status == 409)
        #expect(answer.errors == errors)
        #expect(answer.body?.errors?.allSatisfy { !$0.message.isEmpty } == true)
        #expect(try await server.accounts() == "1")
        #expect(
            try await Answer(server.another().submit(Form(email: email, userName: userName).request())).errors == errors
        )
    }

    @Test(
        "The server trusts no client: every field is checked",
        arguments: [
            (.email, nil, "email_field field.required"), (.email, "", "email_field field.required"),
            (.email, "ada", "email_field email.missing_at"),
            (.email, "ada@localhost", "email_field email.domain_needs_dot"),
            (.userName, nil, "user_name field.required"), (.userName, "ab", "user_name username.too_short"),
            (.userName, "a@b", "user_name username.looks_like_email"),
            (.userName, "admin", "user_name username.reserved"),
            (.first, nil, "first_name field.required"), (.first, "123", "first_name name.no_letter"),
            (.last, "  ", "last_name field.required"),
            (.last, String(repeating: "x", count: 5000), "last_name name.too_long"),
            (.password, nil, "password field.required"), (.password, "12345678", "password password.too_short"),
            (.password, "password1", "password password.too_common"),
            (.password, "ada@example.org", "password password.matches_personal_data"),
        ] as [(Form.Field, String?, String)])
    func checked(field: Form.Field, value: String?, error: String) async throws {
        let server = try Server()
        let answer = try await server.send(Form(field, value).request())
        #expect(answer.status == 422)
        #expect(answer.errors == [error])
        #expect(answer.body?.status == 422)
        #expect(try await server.accounts() == "0")
    }

    @Test("All that is wrong is told at once, in the order of the steps but the password")
    func everythingWrong() async throws {
        let server = try Server()
        let answer = try await server.send(
            Form(email: nil, userName: nil, password: nil, first: nil, last: nil).request())
        #expect(
            Set(answer.errors)
                == Set(
                    ["email_field", "user_name", "password", "first_name", "last_name"].map { "\($0) field.required" }))
    }

    @Test(
        "A body that is no submission is malformed, and makes nothing",
        arguments: [
            "", "null", "[]", "{}", "not json", #"{"fields":{}}"#, #"{"schema":2,"fields":{}}"#,
            #"{"schema":1,"fields":{"user_name":7}}"#, #"{"schema":1,"fields":[]}"#,
            #"{"schema":1,"fields":{},"secrets":{"password":"plain"}}"#, #"{"schema":1,"fields":{}"#, "\u{0}",
        ])
    func malformed(body: String) async throws {
        let server = try Server()
        for kind in FlowKind.allCases {
            let answer = try await server.send(SubmissionRequest(key: newKey(), kind: kind, body: Secret(body)))
            #expect(answer.status == 400)
            #expect(answer.errors.isEmpty)
        }
        #expect(try await server.accounts() == "0")
    }

    @Test("Bytes that are no text are malformed")
    func noText() async throws {
        let server = try Server()
        let body = Secret(utf8: [0x7B, 0xFF, 0xFE, 0x7D])
        #expect(try await server.send(SubmissionRequest(key: newKey(), kind: .register, body: body)).status == 400)
    }

    @Test("Hostile texts are texts")
    func hostile() async throws {
        let server = try Server()
        let name = "Robert'); DROP TABLE accounts;--\"\\"
        #expect(try await server.send(Form(first: name).request()).status == 201)
        #expect(try await server.sql("SELECT first_name FROM accounts") == name)
    }

    @Test("The password is in no file, and in no answer")
    func password() async throws {
        let server = try Server()
        let password = "four unrelated words"
        let key = newKey()
        for request in [Form().request(key: key), Form().request(key: key), Form.login("ada.l", password)] {
            #expect(try await !server.send(request).text.contains(password))
        }
        // Another process looks, because the server still has its file open here.
        func files(containing text: String) async throws -> String {
            try await Program("grep", ["-rlaF", "--", text, server.folder.path]).run().stdout
        }
        #expect(try await !files(containing: "ada.l").isEmpty)
        #expect(try await files(containing: password).isEmpty)
        #expect(try await server.sql("SELECT password_hash LIKE '$argon2id$%' FROM accounts") == "1")
    }

    @Test("The server's file is its owner's alone")
    func mode() async throws {
        let server = try Server()
        try await server.send(Form().request())
        #expect(try await Program("stat", ["-c", "%a", server.path]).run().stdout == "600\n")
    }

    @Test("A file that cannot be opened is a network that cannot be reached")
    func unreachable() async throws {
        let server = try Server()
        let lost = MockNetwork(path: server.folder.path)
        let failure = await #expect(throws: NetworkFailure.self) { _ = try await lost.submit(Form().request()) }
        guard case .unreachable = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
