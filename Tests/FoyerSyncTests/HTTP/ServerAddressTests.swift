import Testing

@testable import FoyerSync

@Suite struct ServerAddressTests {
    @Test(
        "An address is kept in one form",
        arguments: [
            ("https://a.example", "https://a.example", "a.example"),
            ("HTTPS://A.Example:443/", "https://a.example", "a.example"),
            ("https://a.example:8443/api/", "https://a.example:8443/api", "a.example:8443"),
            ("https://192.0.2.7/x/y", "https://192.0.2.7/x/y", "192.0.2.7"),
            ("https://[2001:DB8::1]:444", "https://[2001:db8::1]:444", "[2001:db8::1]:444"),
            ("http://localhost:8080", "http://localhost:8080", "localhost:8080"),
            ("http://127.0.0.1:80", "http://127.0.0.1", "127.0.0.1"), ("http://[::1]/", "http://[::1]", "[::1]"),
        ])
    func form(text: String, whole: String, name: String) throws {
        let address = try ServerAddress(text)
        #expect(address.text == whole && address.name == name)
    }

    @Test(
        "What two parsers could understand differently is refused",
        arguments: [
            "", "a.example", "ftp://a.example", "file:///etc/passwd", "https://", "https:///x", "https://a b",
            "https://a.example:", "https://a.example:0", "https://a.example:65536", "https://a.example:+1",
            "https://a.example:1:2", "https://user@a.example", "https://user:word@a.example", "https://a.example?x",
            "https://a.example/?x", "https://a.example/#x", "https://a.example\\@b.example", "https://a.example/x\ny",
            "https://a.example/\u{0}", "https://a.exämple", "https://[::1", "https://[]", "https://[x]",
            "https://[::1]x",
            "https://a.example//b", " https://a.example", "https://a_b.example",
        ])
    func malformed(text: String) {
        #expect { try ServerAddress(text) } throws: { ($0 as? HTTPNetwork.ConfigurationError)?.code == .malformedURL }
    }

    @Test(
        "A password in the clear goes to this machine alone",
        arguments: [
            "http://a.example", "http://127.0.0.1.a.example", "http://localhost.a.example", "http://127.1",
            "http://2130706433", "http://0x7f.0.0.1", "http://127.0.0.01", "http://127.0.0.256", "http://128.0.0.1",
            "http://0.0.0.0", "http://[::]", "http://[::ffff:127.0.0.1]", "http://192.168.0.1", "http://127.0.0.1.",
        ])
    func unencrypted(text: String) {
        #expect { try ServerAddress(text) } throws: { ($0 as? HTTPNetwork.ConfigurationError)?.code == .unencrypted }
        #expect(throws: Never.self) { try ServerAddress(text.replacing("http:", with: "https:")) }
    }

    @Test(
        "A redirection is followed to the same origin alone",
        arguments: [
            ("/x", "https://a.example:444/x"), ("/x?y=1", "https://a.example:444/x?y=1"),
            ("https://a.example:444/z", "https://a.example:444/z"),
            ("HTTPS://A.example:444/Z", "https://a.example:444/Z"), ("//b.example/x", nil), ("", nil), ("x", nil),
            ("https://b.example/", nil), ("https://a.example:444@b.example/", nil), ("https://a.example:4444/", nil),
            ("http://a.example:444/", nil), ("https://a.example:444.b.example/", nil), ("https://a.example/", nil),
            ("/\\b.example", nil), ("\\\\b.example", nil), ("/x y", nil), ("/x\u{0}", nil),
            ("https://a.example:444", nil),
            ("javascript:alert(1)", nil), ("https:///b.example", nil),
        ] as [(String, String?)])
    func redirection(location: String, target: String?) throws {
        #expect(try ServerAddress("https://a.example:444/api").target(of: location) == target)
    }
}
