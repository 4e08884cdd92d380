import FoyerModel
import Testing

@testable import FoyerCLI

/// Trees, bars and the line that tells how far something is.
@Suite struct DrawingTests {
    private static func node(_ path: String, _ position: Int = 0) -> CoordinatorNode {
        let slot = path.split(separator: "/").last.map(String.init) ?? ""
        return CoordinatorNode(path: path, slot: slot, position: position, config: "{}", state: "{}")
    }

    private static let nodes = [
        node("app"), node("app/about", 1), node("app/account"), node("app/account/register"),
        node("app/account/login", 1), node("app/about/feedback"),
    ]

    @Test(
        "A tree is drawn in the order of its places",
        arguments: [("tree", [:]), ("tree-ascii", ["LC_ALL": "C"]), ("tree-list", ["FOYER_ACCESSIBLE": "1"])])
    func aTreeIsDrawnInTheOrderOfItsPlaces(name: String, variables: [String: String]) throws {
        let lines = Drawing.tree(Self.nodes, .terminal(80, variables)) {
            $0.path == "app/account/register" ? "at userName (2 of 5)" : nil
        }
        try Golden.compare(lines, with: name)
    }

    @Test("A tree with absurdly deep or malformed paths is drawn all the same")
    func aTreeThatSomebodyHasMadeIsDrawnToo() {
        let deep = (0..<500).map { depth in Self.node((0...depth).map { _ in "x" }.joined(separator: "/")) }
        let odd = [Self.node(""), Self.node("/"), Self.node("gone/child"), Self.node("//")]
        for nodes in [deep, odd, Self.nodes + odd] {
            let lines = Drawing.tree(nodes, .terminal()) { _ in nil }
            #expect(!lines.isEmpty && lines.count <= nodes.count)
        }
    }

    @Test(
        "A bar is as long as its share and never longer than its width",
        arguments: [
            (0, 8, ""), (1, 8, "█"), (8, 8, "████████"), (9, 8, "████████"), (4, 8, "████"),
        ])
    func aBarIsAsLongAsItsShare(value: Int, most: Int, bar: String) {
        #expect(Drawing.bar(value, of: most, width: 8, .terminal()) == bar)
    }

    @Test("A bar is drawn in eighths, or in whole ASCII characters")
    func aBarKnowsEighthsAndAscii() {
        #expect(Drawing.bar(3, of: 16, width: 8, .terminal()) == "█▌")
        #expect(Drawing.bar(1, of: 10_000, width: 8, .terminal()) == "▏")
        #expect(Drawing.bar(3, of: 16, width: 8, .terminal(80, ["LC_ALL": "C"])) == "#")
        #expect(Drawing.bar(5, of: 0, width: 8, .terminal()) == "")
    }

    @Test("A progress line fits the window, and is a sentence where that is asked for")
    func progressFitsTheWindowAndSaysPercentInWords() {
        let status = Progress.Status(what: "Copying", done: 3, total: 8)
        #expect(status.line(.terminal(80)) == "Copying  ████████░░░░░░░░░░░░░░░░  37 %  3 of 8")
        #expect(status.line(.terminal(80, ["TERM": "xterm", "LC_ALL": "C"])).contains("  ########................  "))
        #expect(status.line(.terminal(20)) == "Copying: 37 %")
        #expect(status.line(.terminal(8)) == "Copyin…")
        #expect(status.line(.terminal(80, ["TERM": "xterm", "FOYER_ACCESSIBLE": "1"])) == "Copying: 37 percent done.")
        #expect(status.line(.pipe) == "Copying: 37 %  3 of 8")
        #expect(Progress.Status(what: "Erasing").line(.terminal()) == "Erasing…")
    }
}
