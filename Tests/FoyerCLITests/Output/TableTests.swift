import Foundation
import FoyerModel
import Testing

@testable import FoyerCLI

/// Tables fit the window, whatever is in them.
@Suite struct TableTests {
    private static let now = Timestamp(milliseconds: 1_767_323_045_000)
    private static let table = Table(
        [
            "ID", Table.Column("NAME", shrinks: true), Table.Column("TRIES", isNumber: true),
            Table.Column("WHY", shrinks: true), "CHANGED",
        ],
        [
            row("6cab21e0", "ada", 0, "due now", .seconds(-200)),
            row("e3168239", "李小龍", 12, "behind 01900000-0000-7000-8000-000000000001, which waits", .seconds(-90_000)),
            row("068e27fe", "Zoe\u{308} 👩‍👩‍👧", 3, "", .seconds(7300)),
            row("00000000", "a\u{1B}[31m\tb", 100, "한국어로 쓴 아주 긴 이유입니다 그래서 잘립니다", .zero),
        ])

    private static func row(_ id: String, _ name: String, _ tries: Int, _ why: String, _ age: Duration) -> [Table.Cell]
    {
        [Table.Cell(id), Table.Cell(name), Table.Cell(tries), Table.Cell(why), Table.Cell(now + age, from: now)]
    }

    @Test("A table fits the window or becomes a list", arguments: [80, 60, 40, 20])
    func aTableFitsTheWindowOrIsAList(columns: Int) throws {
        let lines = Self.table.lines(.terminal(columns, ["TERM": "dumb"]))
        try Golden.compare(lines, with: "table-\(columns)")
        if columns >= 60 { #expect(lines.count == 5 && lines.allSatisfy { DisplayWidth.of($0) <= columns }) }
    }

    @Test("Columns are aligned by the width that is seen")
    func columnsAreAlignedByWhatIsSeen() {
        let lines = Self.table.lines(.terminal(120, ["TERM": "dumb"]))
        let starts = lines.map { line in
            DisplayWidth.of(
                String(
                    line[..<(line.range(of: line == lines[0] ? "CHANGED" : ago(line))?.lowerBound ?? line.startIndex)]))
        }
        #expect(Set(starts).count == 1, "\(lines)")
    }

    private func ago(_ line: String) -> String {
        ["3 min ago", "25 h ago", "in 2 h", "just now"].first { line.contains($0) } ?? "?"
    }

    @Test("A pipe gets every character in full and no titles")
    func aPipeGetsEveryCharacterAndNoTitles() {
        let lines = Self.table.lines(.pipe)
        #expect(lines.count == 4)
        #expect(
            lines[1]
                == "e3168239\t李小龍\t12\tbehind 01900000-0000-7000-8000-000000000001, which waits\t2026-01-01T02:04:05.000Z"
        )
        #expect(lines[3].hasPrefix("00000000\ta\\u{1B}[31m\\u{9}b\t100\t"))
    }

    @Test("In accessible mode a table becomes a list")
    func whoListensGetsAList() throws {
        try Golden.compare(Self.table.lines(.terminal(80, ["TERM": "xterm", "FOYER_ACCESSIBLE": "1"])), with: "list")
    }

    @Test("Titles are bold only where colour is on")
    func titlesAreBoldOnlyWhereColourIsOn() {
        #expect(Self.table.lines(.terminal(80)).map { $0.contains("\u{1B}") } == [true, false, false, false, false])
        #expect(!Self.table.lines(.terminal(80, ["TERM": "dumb"])).joined().contains("\u{1B}"))
    }

    @Test("A cut cell ends in ASCII dots where the locale shows nothing else")
    func whatIsCutEndsInAsciiWhereNothingElseCanBeShown() {
        let lines = Self.table.lines(.terminal(60, ["TERM": "dumb", "LC_ALL": "C"]))
        #expect(lines[2].contains("...") && !lines.joined().contains("…"))
    }

    @Test("An empty table prints nothing")
    func anEmptyTableIsNothing() {
        #expect(Table(["ID"], []).lines(.terminal()) == [])
    }

    // MARK: Measures

    @Test(
        "The display width counts the columns of wide and combined characters",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("李", 2), ("ｶ", 1), ("한", 2),
            ("\u{1112}\u{1161}\u{11AB}", 2),
            ("👩‍👩‍👧", 6), ("🇩🇪", 4), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2), ("…", 1), ("█", 1),
        ])
    func widths(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(
        "Times are told relative to now when near, and as dates when far",
        arguments: [
            (Int64(0), "just now"), (-1999, "just now"), (-5000, "5 s ago"), (-59_999, "59 s ago"),
            (-200_000, "3 min ago"),
            (7_300_000, "in 2 h"), (-90_000_000, "25 h ago"), (-259_200_000, "3 days ago"),
            (-31_536_000_000, "2025-01-02"),
            (.min, "0000-01-01"),
        ])
    func timesAreToldAsPeopleDo(offset: Int64, text: String) {
        let moment = offset == .min ? Timestamp(milliseconds: -62_167_219_200_000) : Self.now + .milliseconds(offset)
        #expect(RelativeTime.text(moment, from: Self.now) == text)
    }

    // MARK: What a stream can show

    @Test(
        "Colour follows the terminal unless a flag decides",
        arguments: [
            (["TERM": "xterm"], true, true), (["TERM": "xterm"], false, false), (["TERM": "dumb"], true, false),
            ([:], true, false),
        ] as [([String: String], Bool, Bool)])
    func colourFollowsTheTerminal(variables: [String: String], isTerminal: Bool, hasColour: Bool) {
        let columns = isTerminal ? 80 : nil
        #expect(Style(columns: columns, choice: .auto) { variables[$0] }.hasColour == hasColour)
        #expect(Style(columns: columns, choice: .always) { variables[$0] }.hasColour)
        #expect(!Style(columns: columns, choice: .never) { variables[$0] }.hasColour)
    }

    @Test(
        "Unicode ornaments are used only where the locale allows them",
        arguments: [
            ([:], true), (["LANG": "de_DE.UTF-8"], true), (["LANG": "C"], false),
            (["LC_ALL": "C", "LANG": "C.utf8"], false),
            (["LC_ALL": "en_US.utf8", "LANG": "C"], true), (["LC_CTYPE": "POSIX"], false),
        ] as [([String: String], Bool)])
    func ornamentsFollowTheLocale(variables: [String: String], isUnicode: Bool) {
        #expect(Style(columns: 80, choice: .auto) { variables[$0] }.isUnicode == isUnicode)
    }
}
