import Foundation
import Testing

@testable import FoyerModel

/// String values of a JSON text, kept apart from what a decoder sees.
@Suite struct SecretJSONTests {
    private func read(_ json: some Sequence<UInt8>) -> (skeleton: String, texts: [String])? {
        Array(json).withUnsafeBufferPointer { bytes in
            guard let json = SecretJSON(bytes) else { return nil }
            var texts: [String] = []
            while let text = json.text("\(texts.count)") {
                guard json.secret("\(texts.count)")?.isText(text) == true else { return nil }
                texts.append(text)
            }
            return (String(decoding: json.skeleton, as: UTF8.self), texts)
        }
    }

    @Test("Names and everything else stay, values become numbers")
    func skeleton() throws {
        let json = #" {"a" : "x", "b\"": ["y", 1, null, "é"], "": {"c": ""}, "d" :true} "#
        let result = read(json.utf8)
        let read = try #require(result)
        #expect(read.skeleton == #" {"a" : "0", "b\"": ["1", 1, null, "2"], "": {"c": "3"}, "d" :true} "#)
        #expect(read.texts == ["x", "y", "é", ""])
    }

    @Test(
        "A string stands for what the decoder reads, or is refused where it refuses",
        arguments: [
            #"\"\\\/\b\f\n\r\t"#, #"\u0041\u00e9\u5BC6"#, #"\ud83d\uDD11"#, #"\u0000"#, "é密🔑\u{10FFFF}", "\u{7F}",
            #"\\u0041"#,
            #"\x"#, #"\u12"#, #"\u12g4"#, #"\ud83d"#, #"\ud83dx"#, #"\ud83d\u0041"#, #"\udd11\ud83d"#, "\t", "\n",
            #"\"#, #"a\"#,
        ])
    func strings(inner: String) {
        let json = "[\"\(inner)\"]"
        let wanted = try? JSONDecoder().decode([String].self, from: Data(json.utf8))
        #expect(read(json.utf8)?.texts == wanted)
    }

    @Test("Bytes that are not UTF-8 are refused, and a number that nobody has is nothing")
    func broken() {
        #expect(read([0x22, 0xFF, 0x22]) == nil && read(#"["a"#.utf8) == nil)
        #expect(read("".utf8)?.texts == [] && read(#"{"a":1}"#.utf8)?.texts == [])
        Array("[\"a\"]".utf8).withUnsafeBufferPointer { bytes in
            let json = SecretJSON(bytes)
            #expect(json?.text("1") == nil && json?.text("-1") == nil && json?.secret("x") == nil)
        }
    }
}
