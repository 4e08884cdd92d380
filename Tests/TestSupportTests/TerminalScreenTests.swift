import TestSupport
import Testing

@Suite struct TerminalScreenTests {
    private func screen(_ text: String, columns: Int = 10) -> TerminalScreen {
        var screen = TerminalScreen(columns: columns)
        screen.feed(text.utf8)
        return screen
    }

    @Test("Lines become rows of the screen, and long ones wrap")
    func linesAreRows() {
        #expect(screen("one\r\ntwo\r\n").text == "one\ntwo\n")
        #expect(screen("one\ntwo").text == "one\n   two")
        #expect(screen("0123456789").text == "0123456789")
        #expect(screen("0123456789ab").text == "0123456789\nab")
        #expect(screen("012345678日").text == "012345678\n日")
    }

    @Test("A row can be written over and erased")
    func aRowIsWrittenOverAndErased() {
        #expect(screen("abcdef\rxy").text == "xycdef")
        #expect(screen("abcdef\rxy\u{1B}[K").text == "xy")
        #expect(screen("abc\u{8}\u{8}X").line == "aXc")
        #expect(screen("日本\rab").line == "ab本")
    }

    @Test("Wide and combining characters take the columns that they have")
    func charactersTakeTheColumnsThatTheyHave() {
        #expect(screen("日a").column == 3)
        #expect(screen("e\u{301}x").column == 2)
        #expect(screen("e\u{301}x").line == "e\u{301}x")
        #expect(screen("日本語\ra日").lineBeforeCursor == "a日")
    }

    @Test("Control sequences that the screen does not know are listed")
    func whatItDoesNotKnowIsListed() {
        let screen = screen("\u{1B}[?2004ha\u{1B}[31mb\u{7}")
        #expect(screen.text == "ab" && screen.unknown == ["[31m", "\\u{7}"] && screen.marksPastes)
    }

    @Test("The screen is the same wherever the bytes are cut")
    func itDoesNotMatterWhereTheBytesAreCut() {
        let bytes = Array("日\u{1B}[?2004hé\r\u{1B}[Kx\r\n".utf8)
        for cut in bytes.indices {
            var screen = TerminalScreen()
            screen.feed(bytes[..<cut])
            screen.feed(bytes[cut...])
            #expect(screen.text == "x\n" && screen.unknown == [], "\(cut)")
        }
    }
}
