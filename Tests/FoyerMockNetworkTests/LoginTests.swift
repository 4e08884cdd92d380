import FoyerModel
import Testing

@Suite struct LoginTests {
    @Test("The right password signs in, however the name is written", arguments: ["ada.l", "ADA.L", "Ada.l"])
    func right(name: String) async throws {
        let server = try Server()
        let registered = try await server.send(Form().request())
        let answer = try await server.send(Form.login(name, "four unrelated words"))
        #expect(answer.status == 201)
        #expect(answer.body?.user?.id == registered.body?.user?.id)
    }

    @Test("A wrong password and an unknown name are refused in the same words")
    func wrong() async throws {
        let server = try Server()
        try await server.send(Form().request())
        var texts: Set<String> = []
        for (name, password) in [
            ("ada.l", "five unrelated words"), ("ada.l", "Four unrelated words"), ("nobody", "four unrelated words"),
            ("ada.l", ""), ("", ""), ("ada.l", nil), (nil, "four unrelated words"), ("ada.l%", "four unrelated words"),
        ] as [(String?, String?)] {
            let answer = try await server.send(Form.login(name, password))
            #expect(answer.status == 422)
            #expect(answer.errors == ["password login.failed"])
            texts.insert(answer.text)
        }
        #expect(texts.count == 1)
    }

    @Test("A password that was typed in another composition signs in")
    func composition() async throws {
        let server = try Server()
        try await server.send(Form(password: "p\u{E4}ssw\u{F6}rter sind lang").request())
        let answer = try await server.send(Form.login("ada.l", "pa\u{308}sswo\u{308}rter sind lang"))
        #expect(answer.status == 201)
    }

    @Test("Asking for a new password never tells who has an account")
    func reset() async throws {
        let server = try Server()
        try await server.send(Form().request())
        var texts: Set<String> = []
        for email in ["ada@example.org", "ADA@EXAMPLE.ORG", "nobody@example.org", "x@nowhere.example"] {
            let answer = try await server.send(
                Form(email: email, userName: nil, password: nil, first: nil, last: nil).request(.reset))
            #expect(answer.body?.user == nil)
            texts.insert(answer.description)
        }
        #expect(texts == [#"201 {"schema":1,"verdict":"accepted"}"#])
    }
}
