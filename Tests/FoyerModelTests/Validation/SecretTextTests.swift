import Foundation
import TestSupport
import Testing

@testable import FoyerModel

/// What is done with the text of a secret without a `String` of it, beside what `String` does.
@Suite struct SecretTextTests {
    private func scalars(_ bytes: [UInt8]) -> [Unicode.Scalar] {
        bytes.withUnsafeBufferPointer { Array(UTF8Scalars($0)) }
    }

    private func composed(_ text: String) -> [UInt8] {
        var bytes = SecretBytes()
        bytes.append(composing: text.unicodeScalars)
        return bytes.withBytes { Array($0) }
    }

    @Test("Any bytes read as the code points that String reads, and are UTF-8 where String says so")
    func decoding() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let pieces = "a é 密 🔑 \u{10FFFF}".utf8.map { $0 } + [0x80, 0xC0, 0xE0, 0xED, 0xF0, 0xF4, 0xFF]
        for _ in 0..<4_000 {
            let bytes = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? 0
            }
            let wanted = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
            #expect(scalars(bytes) == wanted, "seed \(seed): \(bytes)")
            let isUTF8 = bytes.withUnsafeBufferPointer(\.isUTF8)
            #expect(isUTF8 == (String(validating: bytes, as: UTF8.self) != nil), "seed \(seed): \(bytes)")
        }
    }

    /// A letter with marks of its own decomposes into code points that may all join, but for the first.
    @Test("In this Unicode version no code point is composed that is not known to join")
    func joining() {
        var count = 0
        for value in UInt32(0)...0x2FFFF {  // beyond, nothing decomposes
            guard let scalar = Unicode.Scalar(value) else { continue }
            let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            guard parts.count > 1 else { continue }
            count += 1
            #expect(!parts.dropFirst().contains { !$0.mayJoin }, "U+\(String(value, radix: 16))")
        }
        #expect(count > 12_000, "Hangul alone has 11,172")
    }

    @Test("Composed character by character, a text has the bytes that it has composed as a whole")
    func composing() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let pieces: [Unicode.Scalar] = [
            "a", "e", "o", " ", "\u{301}", "\u{308}", "\u{323}", "\u{327}", "\u{345}", "ü", "\u{212B}", "\u{1100}",
            "\u{1161}", "\u{11A8}", "\u{AC00}", "\u{9C7}", "\u{9BE}", "\u{16D63}", "\u{16D67}", "\u{16D69}", "\u{F900}",
            "\u{1D15E}", "\u{FB31}", "密", "🔑", "\u{1F1E9}", "\u{200D}", "\u{344}",
        ]
        for _ in 0..<4_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...7, using: &random) {
                text.append(pieces.randomElement(using: &random) ?? "a")
            }
            let wanted = Array(String(text).canonicallyComposed.utf8)
            #expect(composed(String(text)) == wanted, "seed \(seed): \(Array(text))")
        }
    }

    @Test("The first characters take as many bytes as they do in a String")
    func characters() {
        for text in ["", "abc", "👨\u{200D}👩\u{200D}👧\u{200D}👦👍🏽x", "🇩🇪🇩🇪🇩", "e\u{301}x\r\ny", "각각"] {
            for count in 0...6 {
                let wanted = text.count < count ? nil : text.prefix(count).utf8.count
                #expect(Array(text.utf8).withUnsafeBufferPointer { $0.size(ofCharacters: count) } == wanted)
            }
        }
        #expect([0x61, 0xFF, 0x62].withUnsafeBufferPointer { $0.size(ofCharacters: 3) } == 5, "U+FFFD stands for it")
    }
}
