import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerSQLite
@testable import FoyerStore

/// Texts, files of older programs, and clocks that are not as usual.
@Suite struct HostileTextTests {
    @Test(
        "A text is stored byte for byte, whatever it would mean elsewhere",
        arguments: [
            "'; DROP TABLE users; --", "%", "_", "*", "?1", ":email", "@p", "NULL", "0x41", "1e3", "true", "{{7*7}}",
            "%n", "<script>alert(1)</script>", "=1+1", "\"", "\\", "a\u{0}b", "\u{1B}[2J", "a\r\nBcc: b", "\u{202E}",
            "e\u{301}",
        ])
    func stored(text: String) async throws {
        let scene = try await Scene()
        let person = Person(userName: text, first: text)
        let flow = try await scene.answered(4, by: person)
        let saved = try #require(try await scene.store.flow(flow.id)?.answers.first { $0.step == "firstName" }?.value)
        #expect(saved.utf8.elementsEqual(text.utf8))
        _ = try await scene.store.commit(scene.finish(flow, by: person))
        let name = try #require(try await scene.store.users().first?.firstName)
        #expect(name.utf8.elementsEqual(text.utf8))
        let hex = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        #expect(try await scene.sql("SELECT hex(first_name) FROM users WHERE hex(user_name) = '\(hex)'") == hex)
        try await scene.store.close()
    }

    @Test("A clock that goes back a day, or to 1970, takes no answer and no secret away", arguments: [false, true])
    func clockGoesBack(toTheBeginning: Bool) async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(4)
        scene.clock.turn(by: toTheBeginning ? Timestamp(milliseconds: 0) - TestClock.start : .seconds(-86_400))
        #expect(try await scene.store.expireFlows() == 0)
        #expect(try await scene.store.flow(flow.id)?.answers.count == 4)
        _ = try await scene.store.commit(scene.finish(flow))
        let claimed = try #require(try await scene.claim(try scene.store.makeWorker()).first)
        #expect(claimed.id == flow.submissionID)
        #expect(try await scene.store.secrets(of: claimed)["password"]?.isText(Person.ada.password) == true)
        try await scene.store.close()
    }

    @Test("A clock that goes on by ten years ends what is unfinished, with its secrets")
    func clockGoesOn() async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(3)
        scene.clock.turn(by: .seconds(10 * 365 * 86_400))
        #expect(try await scene.store.expireFlows() == 1)
        #expect(try await scene.store.flow(flow.id)?.status == .expired)
        #expect(try await scene.sql("SELECT count(*) FROM secrets") == "0")
        try await scene.store.close()
    }
}
