import FoyerModel
import Testing

@Suite struct SealingKeyTests {
    private static let published =
        #"{"algorithm":"crypto_box_seal","aud":"a","key_id":"k","public_key":"\#(base64)","schema":1}"#
    private static let base64 = String(repeating: "A", count: 42) + "I="

    @Test("The key is read as the server publishes it, with whatever it adds")
    func read() throws {
        for json in [Self.published, Self.published.replacing("{", with: #"{ "more": [1], "#)] {
            let key = try #require(SealingKey(json: Array(json.utf8)))
            #expect(key.audience == "a" && key.id == "k")
            #expect(key.publicKey == [UInt8](repeating: 0, count: 31) + [2])
        }
    }

    @Test(
        "Anything else is no key",
        arguments: [
            ("crypto_box_seal", "rot13"), (#""aud":"a""#, #""aud":"""#), (#""key_id":"k""#, #""key_id":"""#),
            (#""key_id":"k""#, #""key_id":7"#), (#""schema":1"#, #""schema":2"#), (base64, "AAAA"), (base64, "?"),
            (published, ""), (published, "[]"), (#""key_id":"k","#, ""), (#""key_id":"k""#, #""key_id":"k\u0000""#),
        ])
    func refused(part: String, other: String) {
        #expect(SealingKey(json: Array(Self.published.replacing(part, with: other).utf8)) == nil)
    }

    @Test("A key in another encoding than UTF-8 is none")
    func encoding() {
        #expect(SealingKey(json: Self.published.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == nil)
    }
}
