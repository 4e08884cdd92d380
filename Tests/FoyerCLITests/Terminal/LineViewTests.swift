import Glibc
import TestSupport
import Testing

@testable import FoyerCLI

/// What stands on the screen when a line is drawn, changed and drawn again.
@Suite struct LineViewTests {
    /// Draws the prompt and then each of the lines.
    private func screen(_ prompt: String, _ lines: EditedLine..., columns: Int = 30) -> TerminalScreen {
        var screen = TerminalScreen(columns: columns)
        var view = LineView(prompt: prompt)
        screen.feed(view.open(lines[0], columns: columns).utf8)
        for line in lines.dropFirst() { screen.feed(view.update(line, columns: columns).utf8) }
        return screen
    }

    private func line(_ text: String, left: Int = 0) -> EditedLine {
        var line = EditedLine(text)
        for _ in 0..<left { line.change(.left) }
        return line
    }

    @Test("The cursor stands where the next character goes")
    func theCursorStandsWhereTheNextCharacterGoes() {
        for (text, left, column) in [("ada", 0, 9), ("ada", 1, 8), ("日本語", 1, 10), ("e\u{301}x", 1, 7)] {
            let screen = screen("Name: ", line(text, left: left))
            #expect(screen.text == "Name: \(text)" && screen.column == column, "\(text)")
        }
    }

    @Test("A line that is too long shows the part around the cursor")
    func aLineThatIsTooLongShowsThePartAroundTheCursor() {
        let long = line("abcdefghijklmnopqrstuvwxyz0123456789")
        #expect(screen("Name: ", long).text == "Name: nopqrstuvwxyz0123456789")
        var home = long
        home.change(.home)
        let start = screen("Name: ", long, home)
        #expect(start.text == "Name: abcdefghijklmnopqrstuvw" && start.column == 6)
        #expect(screen("Name: ", home, long).lineBeforeCursor.hasSuffix("789"))
    }

    @Test("The last column stays free, even with wide characters")
    func theLastColumnStaysFreeAlsoForWideCharacters() {
        for count in 1...40 {
            let screen = screen("Name: ", line(String(repeating: "日", count: count)))
            #expect(!screen.text.contains("\n") && screen.column < 30, "\(count)")
        }
    }

    @Test("A prompt that leaves no room stands on a row above")
    func aPromptThatLeavesNoRoomStandsAbove() {
        #expect(screen("A long question about it: ", line("ada")).text == "A long question about it: \nada")
        #expect(screen("A long question about nothing at all: ", line("x")).text.split(separator: "\n").count == 3)
    }

    @Test("Text that a terminal would act on is shown in escaped form")
    func whatATerminalWouldActOnIsShown() {
        let hostile = EditedLine("a\u{1B}[31mb")
        #expect(screen("N: ", hostile).text == "N: a\\u{1B}[31mb")
        #expect(screen("\u{1B}c: ", hostile).unknown == [])
    }

    @Test("Text typed at the end is added without redrawing the line")
    func textAtTheEndIsOnlyAdded() {
        var view = LineView(prompt: "Name: ")
        #expect(view.open(line("a"), columns: 30) == "Name: a")
        #expect(view.update(line("ad"), columns: 30) == "d")
        #expect(view.update(line("ad"), columns: 30) == "")
        #expect(view.update(line("a"), columns: 30) == "\r\u{1B}[KName: a")
    }

    @Test("Character widths agree with those of the C library")
    func widthsAreThoseOfTheSystem() throws {
        let locale = try #require(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
        let before = uselocale(locale)
        // Swift's module of the C library does not show it.
        let symbol = try #require(dlsym(nil, "wcwidth"))
        let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        let blocks: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xC0...0x2FF, 0x300...0x34E, 0x391...0x3A1, 0x410...0x44F, 0x5D0...0x5EA, 0x1100...0x115F,
            0x3041...0x3096, 0x30A0...0x30FF, 0x4E00...0x9FA5, 0xAC00...0xD7A3, 0xFF01...0xFF60, 0x1_F600...0x1_F640,
        ]
        for value in blocks.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let expected = Int(wcwidth(wchar_t(value)))
            #expect(DisplayWidth.of(Character(scalar)) == expected, "U+\(String(value, radix: 16))")
        }
    }

    @Test(
        "Sentences are wrapped between words",
        arguments: [
            ("  a few words", 8, "  a few\n  words"), ("  a few words", 80, "  a few words"),
            ("longword x", 4, "longword\nx"),
            ("日本 日本", 6, "日本\n日本"), ("", 5, ""), ("  ", 5, "  "), ("a  b", 9, "a  b"),
        ])
    func sentencesAreWrappedBetweenWords(text: String, columns: Int, wrapped: String) {
        #expect(text.wrapped(to: columns) == wrapped)
    }
}
