import Foundation
import FoyerModel
import FoyerTestSupport
import Testing

@testable import FoyerSync

/// Answers in JSON that parsers read differently, or choke on: each has its one class, at once.
@Suite struct HostileReplyTests {
    private func classify(_ body: [UInt8], status: Int = 201) -> ReplyClass {
        ReplyClassifier.classify(.success(NetworkReply(status: status, body: body)))
    }

    private static func accepted(_ id: String) -> [UInt8] { accepted(Array(id.utf8)) }

    private static func accepted(_ id: [UInt8]) -> [UInt8] {
        Array(#"{"schema":1,"user":{"id":""#.utf8) + id + Array(#""},"verdict":"accepted"}"#.utf8)
    }

    @Test(
        "Half a pair of surrogates, a raw control character and bytes that are no text are no answer",
        arguments: [
            accepted(#"\ud800"#), accepted(#"\udc00\ud800"#), accepted(#"\ud800x"#), accepted("\u{1}"), accepted("\n"),
            accepted([0xED, 0xA0, 0x80]), accepted([0xC0, 0xAF]), accepted([0xFF]),
        ])
    func noText(body: [UInt8]) {
        #expect(classify(body).name == "maybe sent")
    }

    @Test(
        "An identifier that could not be stored or shown is none, and with it the answer",
        arguments: [
            (#"a\u0000b"#, nil), (#"\u001b[2J"#, nil), (#"a\r\nb"#, nil), (String(repeating: "x", count: 256), nil),
            (String(repeating: "x", count: 255), String(repeating: "x", count: 255)), (#"\ud83d\ude00"#, "😀"),
            ("'; DROP TABLE users; --", "'; DROP TABLE users; --"),
        ] as [(String, String?)])
    func identifier(text: String, id: String?) {
        let wanted = id.map { ReplyClass.verdict(.accepted(remoteID: $0)) } ?? classify([])
        #expect(classify(Self.accepted(text)) == wanted)
    }

    @Test(
        "A number that is none of ours is no schema",
        arguments: ["1e400", "-1e400", "9223372036854775808", "1.5", "\"1\"", "null", "true", "[1]", "01", "1x", "NaN"])
    func numbers(schema: String) {
        #expect(classify(Array(#"{"schema":\#(schema),"verdict":"accepted"}"#.utf8)).name == "maybe sent")
    }

    @Test("Brackets without end, and a body beyond all measure, are answered within a second")
    func depth() {
        for text in ["[", "{\"a\":", "[[],"] {
            let deep = #"{"schema":1,"verdict":"accepted","new":"# + String(repeating: text, count: 40_000)
            for body in [Array(deep.utf8), Array(deep.utf8) + [UInt8](repeating: 0x20, count: 50_000_000)] {
                // Other tests want the processor, too: the quickest of a few tells what it takes.
                let quickest = (1...5).lazy.map { _ in
                    ContinuousClock().measure { #expect(classify(body).name == "maybe sent") }
                }.first { $0 < .seconds(1) }
                #expect(quickest != nil)
            }
        }
    }

    @Test(
        "An answer that says one thing twice says nothing, also in other letters and where nobody looks",
        arguments: [
            #"{"schema":1,"verdict":"rejected","verdict":"accepted"}"#,
            #"{"schema":1,"verdict":"accepted","verdict":"accepted"}"#,
            #"{"schema":1,"verdict":"accepted","\u0076erdict" : "accepted"}"#,
            #"{"schema":1,"verdict":"accepted","user":{"id":"a","id":"b"}}"#,
            #"{"schema":1,"verdict":"accepted","new":[{"a":[],"a":{}}]}"#,
        ])
    func twice(body: String) {
        #expect(classify(Array(body.utf8)).name == "maybe sent")
        let once = #"{"schema":1,"verdict":"accepted","user":{"schema":"schema"},"new":[{"a":"a"},{"a":"verdict"}]}"#
        #expect(classify(Array(once.utf8)).name == "accepted")
    }

    @Test(
        "An answer in another encoding than UTF-8 is none",
        arguments: [
            String.Encoding.utf16, .utf16LittleEndian,
            .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ])
    func encodings(encoding: String.Encoding) throws {
        let text = String(decoding: Self.accepted("r1"), as: UTF8.self)
        #expect(classify(Array(try #require(text.data(using: encoding)))).name == "maybe sent")
    }

    @Test("A comma too many and a byte order mark are forgiven")
    func leniency() {
        #expect(classify(Array(#"{"schema":1,"verdict":"accepted",}"#.utf8)).name == "accepted")
        #expect(classify([0xEF, 0xBB, 0xBF] + Self.accepted("r1")).name == "accepted")
    }
}
