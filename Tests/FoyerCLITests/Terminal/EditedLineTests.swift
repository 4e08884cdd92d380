import TestSupport
import Testing

@testable import FoyerCLI

@Suite struct EditedLineTests {
    /// A line with the cursor where the bar stands.
    private func line(_ text: String) -> EditedLine {
        let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        var line = EditedLine(parts.joined())
        for _ in parts[1] { line.change(.left) }
        return line
    }

    private func shown(_ line: EditedLine) -> String { "\(line.before)|\(line.after)" }

    @Test(
        "Each change moves the cursor or deletes whole characters and words",
        arguments: [
            ("ab|c", EditedLine.Change.left, "a|bc"), ("|abc", .left, "|abc"), ("ab|c", .right, "abc|"),
            ("abc|", .right, "abc|"), ("ab|c", .home, "|abc"), ("a|bc", .end, "abc|"),
            ("ab|c", .deleteBack, "a|c"), ("|abc", .deleteBack, "|abc"), ("a|bc", .deleteForward, "a|c"),
            ("abc|", .deleteForward, "abc|"), ("ab|c", .deleteToStart, "|c"), ("a|bc", .deleteToEnd, "a|"),
            ("ada.l@example.org|", .wordLeft, "ada.l@example.|org"), ("ada.|l", .wordLeft, "|ada.l"),
            ("|ada.l x", .wordRight, "ada|.l x"), ("ada|.l x", .wordRight, "ada.l| x"), ("x|  ", .wordRight, "x  |"),
            ("ada lovelace|", .deleteWordBack, "ada |"), ("ada |", .deleteWordBack, "|"),
            ("|ada lovelace", .deleteWordForward, "| lovelace"), ("|", .deleteWordBack, "|"),
            ("日本|語", .left, "日|本語"), ("日本|語", .deleteBack, "日|語"), ("日本 語|", .wordLeft, "日本 |語"),
            ("e\u{301}|x", .deleteBack, "|x"), ("👩‍👩‍👧|", .left, "|👩‍👩‍👧"), ("🇩🇪🇫🇷|", .deleteBack, "🇩🇪|"),
        ])
    func aChange(before: String, change: EditedLine.Change, after: String) {
        var line = line(before)
        line.change(change)
        #expect(shown(line) == after)
    }

    @Test("Typed text goes where the cursor is")
    func textGoesWhereTheCursorIs() {
        var line = line("ad|@example.org")
        for byte in "a日".utf8 { line.type(byte) }
        #expect(shown(line) == "ada日|@example.org")
    }

    @Test("A combining mark joins the character before it")
    func aMarkJoinsTheCharacterBeforeIt() {
        var line = EditedLine("e")
        for byte in "\u{301}".utf8 { line.type(byte) }
        line.change(.left)
        #expect(shown(line) == "|e\u{301}")
    }

    @Test(
        "Invalid bytes become replacement characters, and terminal controls are left out",
        arguments: [
            ([0xFF], "\u{FFFD}"), ([0xC3, 0x41], "\u{FFFD}A"), ([0xE6, 0x97, 0xC3, 0xA9], "\u{FFFD}é"),
            ([0xA5], "\u{FFFD}"),
            ([0x1B, 0x41, 0x07, 0x7F, 0x00], "A"), ([0x41, 0x09, 0x42], "A\tB"),
        ] as [([UInt8], String)])
    func whatIsNoTextIsShownAsSuchOrLeftOut(bytes: [UInt8], text: String) {
        var line = EditedLine()
        for byte in bytes { line.type(byte) }
        #expect(line.text == text)
    }

    @Test("An endless line is cut off at the longest length")
    func anEndlessLineIsCutOff() {
        var line = EditedLine()
        for _ in 0..<(EditedLine.longest + 10) { line.type(0x41) }
        #expect(line.text.utf8.count == EditedLine.longest)
    }

    @Test("No sequence of typing and editing crashes or loses text")
    func nothingThatIsTypedTrapsOrLosesText() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let changes: [EditedLine.Change] = [
            .left, .right, .wordLeft, .wordRight, .home, .end, .deleteBack, .deleteForward, .deleteWordBack,
            .deleteWordForward, .deleteToStart, .deleteToEnd,
        ]
        let pieces = ["a", " ", "日", "e\u{301}", "👩‍👧", "\u{200D}", "\u{301}", "🇩", "\t", "க்ஷி"]
        var line = EditedLine()
        var view = LineView(prompt: "Name: ")
        var screen = TerminalScreen(columns: 40)
        screen.feed(view.open(line, columns: 40).utf8)
        for step in 0..<2_000 {
            if Bool.random(using: &random), let change = changes.prefix(8).randomElement(using: &random) {
                let text = line.text
                line.change(change)
                if ![.deleteBack, .deleteForward].contains(change) {
                    #expect(line.text == text, "seed \(seed) \(step)")
                }
            } else {
                for byte in (pieces.randomElement(using: &random) ?? "").utf8 { line.type(byte) }
            }
            if step.isMultiple(of: 97) { line.change(changes.randomElement(using: &random) ?? .left) }
            screen.feed(view.update(line, columns: 40).utf8)
            let isThere = screen.line.unicodeScalars.starts(with: "Name: ".unicodeScalars)
            #expect(isThere && !screen.text.contains("\n"), "seed \(seed), step \(step)")
        }
    }
}
