import FoyerApp
import FoyerModel
import TestSupport
import Testing

@testable import FoyerFlow

@Suite struct DeepLinkTests {
    @Test(
        "A link is the names between its slashes; what follows a question mark is not looked at",
        arguments: [
            ("foyer://register", ["register"]), ("FOYER://register/", ["register"]),
            ("foyer://account/register/first-Name_2", ["account", "register", "first-Name_2"]),
            ("foyer://about//contact", ["about", "contact"]), ("foyer://register?utm_source=mail&x=%00", ["register"]),
            ("foyer://register#top", ["register"]),
        ])
    func read(text: String, path: [String]) throws {
        let link = try DeepLink(text)
        #expect(link.path == path)
        #expect(try DeepLink(link.description) == link)
        #expect(try JSONText.decode(DeepLink.self, from: JSONText.encode(link)) == link)
    }

    @Test(
        "Anything else is refused, in words",
        arguments: [
            ("", DeepLinkError.foreign), ("register", .foreign), ("https://example.org/register", .foreign),
            ("foyer:/register", .foreign), ("foyer://", .leadsNowhere), ("foyer:///", .leadsNowhere),
            ("foyer://?register", .leadsNowhere), ("foyer://re gister", .unreadable), ("foyer://../etc", .unreadable),
            ("foyer://a%2Fb", .unreadable), ("foyer://ünïcode", .unreadable), ("foyer://a\u{0}b", .unreadable),
            ("foyer://\u{202E}a", .unreadable), ("foyer://" + String(repeating: "a", count: 2048), .tooLong),
        ])
    func refused(text: String, error: DeepLinkError) {
        #expect(throws: error) { try DeepLink(text) }
        #expect(error.description.hasSuffix("."))
    }

    @Test(
        "A saved link that is none is refused like any other unreadable state",
        arguments: ["\"x\"", "1", "\"foyer://\""])
    func saved(text: String) {
        #expect(throws: (any Error).self) { try JSONText.decode(DeepLink.self, from: text) }
    }
}

@FlowActor
@Suite struct LinkedTreeTests {
    private let store = MemoryStore()

    @Test("A link selects the tab, opens the child, and is saved with the tree")
    func opened() async throws {
        let first = try await Visit(store)
        #expect(try await first.host.open(DeepLink("foyer://upper/room/attic")) == nil)
        #expect(first.place == "house/upper/room/dark" && first.host.screen?.title == "attic")
        let second = try await Visit(store)
        #expect(second.place == "house/upper/room/dark" && second.host.screen?.title == "attic")
    }

    @Test("What is open already on the way stays open")
    func commonPrefix() async throws {
        let visit = try await Visit(store)
        let id = try await visit.beginSample(answering: ["ada", "pw"])
        try await visit.press("tab.upper")
        #expect(try await visit.host.open(DeepLink("foyer://ground/sample/name")) == nil)
        #expect(visit.place == "house/ground/sample/name" && visit.host.flowIDs == [id])
        #expect(visit.host.screen?.fields.first?.value == "ada")
    }

    @Test(
        "A link that leads nowhere moves nothing and writes nothing",
        arguments: [
            "foyer://cellar", "foyer://upper/room", "foyer://upper/room/a/b", "foyer://ground/sample/town",
            "foyer://ground/sample/review", "foyer://ground/sample/name/more", "foyer://upper/nothing",
        ])
    func nowhere(text: String) async throws {
        let visit = try await Visit(store)
        _ = try await visit.beginSample(answering: ["ada"])
        try await visit.press("tab.upper")
        let screens = visit.host.screens, rows = await store.trees, saves = await store.saves
        await #expect(throws: DeepLinkError.leadsNowhere) { try await visit.host.open(DeepLink(text)) }
        #expect(visit.host.screens == screens)
        #expect(await store.trees == rows)
        #expect(await store.saves == saves)
    }

    @Test("No link leads beyond a question that has no answer", arguments: 0...2)
    func notBeyond(answers: Int) async throws {
        let visit = try await Visit(store)
        _ = try await visit.beginSample(answering: Array(["ada", "pw"].prefix(answers)))
        for (position, step) in SampleCoordinator.steps.enumerated() {
            let leads = visit.house.destination(of: ["ground", "sample", step]) != nil
            #expect(leads == (position <= answers), "\(step)")
        }
    }
}
