import Foyer
import FoyerMockNetwork
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct LogTests {
    private final class Lines: Sendable {
        private let all = Mutex<[String]>([])
        var texts: [String] { all.withLock { $0 } }
        func add(_ line: LogLine) { all.withLock { $0.append("\(line)") } }
    }

    @Test("A store tells its log what it did, and nobody's values")
    func story() async throws {
        let folder = try TemporaryFolder()
        let lines = Lines()
        let foyer = try await AccountStore.open(
            at: folder.appending("a.db"), keyFile: folder.appending("keys/key"),
            network: .custom(MockNetwork(path: folder.appending("mock"))), log: { lines.add($0) })
        let host = await foyer.register()
        for answer in ["ada@example.org", "ada.l", "four unrelated words", "Augusta", "Lovelace"] {
            let screen = try #require(await host.screen)
            let field = try #require(screen.fields.first)
            _ = try await host.send(ScreenInput(for: screen, .accept, values: [field.key: Secret(answer)]))
        }
        _ = try await foyer.sync()
        let user = try #require(try await foyer.users.users().first)
        _ = try await foyer.erase(user.id)
        try await foyer.close()
        let ids = lines.texts.map { String($0.prefix { $0 != " " }) }
        #expect(
            ids.filter { $0 != "submission.settled" } == [
                "store.opened", "sync.ended", "person.erased", "store.closed",
            ])
        #expect(lines.texts.contains("sync.ended accepted=1 rejected=0 waiting=0"), "\(lines.texts)")
        for value in ["ada", "Augusta", "Lovelace", "four", user.id.text] {
            #expect(!lines.texts.contains { $0.contains(value) }, "\(value)")
        }
        withExtendedLifetime(folder) {}
    }

    @Test("What is personal is masked, nothing acts on a terminal, and a secret does not compile")
    func values() async throws {
        let line = LogLine("x", ["who": .personal("ada@example.org"), "why": .word("a\u{1B}[31m\nb"), "n": .count(2)])
        #expect("\(line)" == "x who=a…@e….org why=a\\u{1B}[31m\\u{A}b n=2")
        let good = "import Foyer\nlet line = LogLine(\"x\", [\"who\": .personal(\"ada\")])"
        #expect(try await compilerErrors(of: good) == "")
        for value in [".personal(Secret(\"ada\"))", ".word(Secret(\"ada\"))", "LogValue(\"ada\")"] {
            let bad = "import Foyer\nlet line = LogLine(\"x\", [\"who\": \(value)])"
            #expect(try await compilerErrors(of: bad) != "", "\(value)")
        }
    }
}
