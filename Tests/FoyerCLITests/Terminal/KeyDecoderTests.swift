import Testing

@testable import FoyerCLI

@Suite struct KeyDecoderTests {
    private func keys(_ text: String, thenNothing: Bool = false) -> [KeyDecoder.Key] {
        var decoder = KeyDecoder()
        var keys = text.utf8.compactMap { decoder.take($0) }
        if thenNothing, let last = decoder.giveUp() { keys.append(last) }
        return keys
    }

    @Test(
        "An escape sequence of a known key becomes that key",
        arguments: [
            ("\u{1B}[D", EditedLine.Change.left), ("\u{1B}OC", .right), ("\u{1B}[H", .home), ("\u{1B}[1~", .home),
            ("\u{1B}[7~", .home), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[3~", .deleteForward),
            ("\u{1B}b", .wordLeft), ("\u{1B}f", .wordRight), ("\u{1B}[1;5D", .wordLeft), ("\u{1B}[1;3C", .wordRight),
            ("\u{1B}Od", .wordLeft), ("\u{1B}d", .deleteWordForward), ("\u{1B}\u{7F}", .deleteWordBack),
        ])
    func aSequenceIsAKey(text: String, change: EditedLine.Change) {
        #expect(keys(text) == [.change(change)])
        #expect(keys(text + "x") == [.change(change), .text(0x78)])
    }

    @Test(
        "An escape sequence that is no known key is dropped",
        arguments: ["\u{1B}[A", "\u{1B}[31m", "\u{1B}x", "\u{1B}[?1;2c", "\u{1B}OA"])
    func aSequenceThatIsNoKeyIsNothing(text: String) {
        #expect(keys(text + "x") == [.text(0x78)])
    }

    @Test("Escape is a key when nothing follows")
    func escapeIsAKeyWhenNothingFollows() {
        #expect(keys("\u{1B}") == [])
        #expect(keys("\u{1B}", thenNothing: true) == [.escape])
        #expect(keys("\u{1B}\u{1B}", thenNothing: true) == [.escape, .escape])
        #expect(keys("\u{1B}[", thenNothing: true) == [])
        #expect(keys("a", thenNothing: true) == [.text(0x61)])
    }

    @Test("Control bytes are keys, and text is text")
    func controlsAreKeysAndTextIsText() {
        #expect(
            keys("\u{1}é\r\n\t\u{7F}") == [
                .control(1), .text(0xC3), .text(0xA9), .enter, .enter, .text(9), .control(0x7F),
            ])
    }

    @Test("Pasted bytes are text, except that line ends are Return")
    func whatIsPastedIsTextButForTheEndsOfItsLines() {
        let pasted = "\u{1B}[200~a\u{1}\u{1B}[D\u{1B}b\u{4}\rb\u{1B}[201~\u{1}"
        #expect(
            keys(pasted) == [
                .text(0x61), .text(1), .text(4), .enter, .text(0x62), .control(1),
            ])
        #expect(keys("\u{1B}[200~a\u{1B}", thenNothing: true) == [.text(0x61)])
    }

    @Test("An endless escape sequence is cut off at a limit")
    func endlessSequencesEnd() {
        #expect(keys("\u{1B}[" + String(repeating: "1", count: 20) + "x").last == .text(0x78))
    }
}
