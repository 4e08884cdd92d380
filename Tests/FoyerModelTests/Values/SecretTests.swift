import FoyerModel
import Testing

@Suite struct SecretTests {
    private static let word = "xyzzy-plugh"

    /// A secret by itself, and inside whatever may be printed in passing.
    private static let holders: [@Sendable () -> Any] = [
        { Secret(word) },
        { Secret(utf8: word.utf8) },
        { Secret?.some(Secret(word)) as Any },
        { [Secret(word)] },
        { ["password": Secret(word)] },
        { (Secret(word), 1) },
        { Credentials.Value.secret(Secret(word)) },
        { credentials },
        { FlowDraft.Answer.secret(Secret(word)) },
        { SubmissionBody.sent(#"{"fields":{},"schema":1}"#, plainSecrets: ["password": Secret(word)]) },
        { FlowChange.Answer(step: "password", version: 1, content: .secret(Secret(word))) },
        { Result<Secret, StoreError>.success(Secret(word)) },
    ]

    private static var credentials: Credentials {
        var credentials = Credentials()
        credentials["password"] = .secret(Secret(word))
        return credentials
    }

    @Test("Printing a secret, or what holds one, shows nothing of it", arguments: holders.indices)
    func printing(index: Int) {
        let holder = Self.holders[index]()
        var dumped = ""
        dump(holder, to: &dumped)
        for text in ["\(holder)", String(describing: holder), String(reflecting: holder), dumped] {
            #expect(!text.contains("xyzzy") && !text.contains("plugh"))
            #expect(!text.contains("\(UInt8(ascii: "x"))"), "the bytes are the text, too")
        }
    }

    @Test("Every secret is printed alike, so that not even its length shows", arguments: ["", "a", word, "ä€😀"])
    func alike(text: String) {
        let secret = Secret(text)
        #expect(secret.description == "••••••••")
        #expect(secret.debugDescription == secret.description)
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect(Mirror(reflecting: secret).descendant("shared") == nil)
    }

    @Test("A secret lends its bytes and its text to whoever asks for them", arguments: ["", word, "ä€😀"])
    func lending(text: String) {
        #expect(Secret(text).withBytes { Array($0) } == Array(text.utf8))
        #expect(String(revealing: Secret(utf8: text.utf8)) == text)
    }
}

@Suite struct CredentialsTests {
    @Test("Fields keep the order in which they came, also when a value is replaced")
    func order() {
        var credentials = Credentials()
        for key in ["zeta", "password", "alpha", "mid"] {
            credentials[key] = key == "password" ? .secret(Secret("s")) : .text(key)
        }
        credentials["zeta"] = .text("again")
        #expect(credentials.fields.map(\.key) == ["zeta", "password", "alpha", "mid"])
        #expect(credentials.texts == ["zeta": "again", "alpha": "alpha", "mid": "mid"])
        #expect(credentials.secrets.keys.sorted() == ["password"])
    }

    @Test("A value set to nil is taken out, and comes back at the end")
    func removal() {
        var credentials = Credentials()
        for key in ["a", "b", "c"] { credentials[key] = .text(key) }
        credentials["a"] = nil
        credentials["unknown"] = nil
        #expect(credentials.fields.map(\.key) == ["b", "c"])
        credentials["a"] = .text("a")
        #expect(credentials.fields.map(\.key) == ["b", "c", "a"])
    }
}
