import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import Foyer
import FoyerApp
@testable import FoyerFlow

@FlowActor
@Suite struct RestoredAppTests {
    private let premises: Premises

    init() throws { premises = try Premises() }

    // MARK: The tree

    @Test("The next start shows the tab that was selected, with the flow still open in the other")
    func tab() async throws {
        try await AppStory.tell(in: premises) { story in
            try await story.fill(ada[0], ada[1], ada[2])
            try await story.press("tab.about")
        }
        try await AppStory.tell(in: premises) { story in
            #expect(story.place == "about/home")
            try await story.press("tab.account")
            #expect(story.place == "account/register/firstName" && story.stack == ["form", "register"])
        }
    }

    @Test(
        "The next start shows the form of the story that was shown",
        arguments: [
            (["login"], "account/login"), (["login", "forgotpass"], "account/forgotPassword"),
        ])
    func story(buttons: [String], place: String) async throws {
        try await AppStory.tell(in: premises) { story in
            for button in buttons { try await story.press(button) }
        }
        try await AppStory.tell(in: premises) { #expect($0.place == place) }
        try await AppStory.tell(start: .setup, in: premises) {
            #expect($0.place == "account/setup", "it was asked for")
        }
    }

    @Test("A flow that was given up is in no saved tree any more")
    func givenUp() async throws {
        try await AppStory.tell(in: premises) { story in
            try await story.fill(ada[0], ada[1], ada[2])
            try await story.press("cancel")
            let rows = try await story.foyer.storage.tree(of: "app").map(\.path)
            #expect(rows == ["app", "app/about", "app/account"])
        }
    }

    @Test("What the network decided while nobody was there is told at the next start")
    func decidedMeanwhile() async throws {
        try await AppStory.tell(in: premises) { story in
            try await story.fill(ada[0], ada[1], ada[2])
            for text in ada[3...] { try await story.fill(text) }
            _ = try await story.foyer.sync(waitingUpTo: .seconds(60))
        }
        try await AppStory.tell(in: premises) { story in
            #expect(story.message == "Welcome, Ada." && story.stack == ["form", "result"])
        }
    }

    @Test("So is that a new password was asked for, with the address that was given")
    func resetMeanwhile() async throws {
        try await AppStory.tell(start: .forgotPassword, in: premises) { story in
            try await story.fill(ada[0])
            _ = try await story.foyer.sync(waitingUpTo: .seconds(60))
        }
        try await AppStory.tell(in: premises) { story in
            #expect(story.message?.contains(ada[0]) == true)
        }
    }

    @Test("A flow that was left alone for too long has expired: nothing of it is shown, its secret is gone")
    func expired() async throws {
        try await AppStory.tell(in: premises) { try await $0.fill(ada[0], ada[1], ada[2]) }
        premises.clock.turn(by: .seconds(30 * 86400))
        try await AppStory.tell(in: premises) { story in
            #expect(story.place == "account/setup" && story.stack == ["form"])
            #expect(story.host.notes.count == 1 && story.host.notes[0].contains("expired"))
            let unfinished = try await story.foyer.flows.unfinishedFlows()
            let newest = try await story.foyer.flows.newestOpenFlow()
            #expect(unfinished.isEmpty && newest == nil)
            #expect(try await premises.rows().contains("flow expired"))
        }
    }

    // MARK: Links

    @Test(
        "A link shows its place, from wherever the program is",
        arguments: [
            ("foyer://about", "about/home"), ("foyer://about/contact", "about/contact"),
            ("foyer://login", "account/login"),
            ("foyer://account/reset", "account/forgotPassword"),
            ("foyer://register", "account/register/firstName"),
            ("foyer://register/email", "account/register/email"), ("foyer://account", "account/register/firstName"),
        ])
    func opened(link: String, place: String) async throws {
        try await AppStory.tell(in: premises) { story in
            try await story.fill(ada[0], ada[1], ada[2])
            try await story.press("tab.about")
            #expect(try await story.open(link) == nil)
            #expect(story.place == place)
        }
        try await AppStory.tell(in: premises) { story in
            // Screens are not saved: a tab begins at its first, a flow at its question.
            let first = place.split(separator: "/").dropLast().joined(separator: "/")
            #expect(story.place.hasPrefix(first))
        }
    }

    @Test(
        "A link that leads nowhere changes neither what is shown nor a single row",
        arguments: [
            "foyer://cellar", "foyer://register/lastName", "foyer://register/review", "foyer://login/password",
            "foyer://about/contact/us", "foyer://register/email/now", "foyer://account/account",
        ])
    func nowhere(link: String) async throws {
        try await AppStory.tell(in: premises) { story in
            try await story.fill(ada[0], ada[1], ada[2])
            let screens = story.host.screens, rows = try await premises.rows()
            await #expect(throws: DeepLinkError.leadsNowhere) { try await story.open(link) }
            #expect(story.host.screens == screens)
            #expect(try await premises.rows() == rows)
        }
    }

    @Test("A link for somebody who is signed in waits for that, also across starts, and is followed then")
    func pending() async throws {
        try await AppStory.tell(in: premises) { story in
            try await story.registerAda()
            #expect(try await story.open("foyer://profile")?.contains("sign in") == true)
            #expect(story.place == "account/login")
        }
        try await AppStory.tell(in: premises) { story in
            #expect(story.place == "account/login" && story.app?.pendingLink?.path == ["profile"])
            try await story.fill(ada[1], "not the password")
            try await story.deliver()
            #expect(story.place == "account/login/password", "a refusal is no sign-in")
        }
        try await AppStory.tell(in: premises) { story in
            try await story.fill(ada[2])
            _ = try await story.foyer.sync(waitingUpTo: .seconds(60))
        }
        try await AppStory.tell(in: premises) { story in
            #expect(story.place == "account/profile" && story.message?.contains("ada@example.org") == true)
            #expect(story.app?.pendingLink == nil)
            try await story.press("back")
            #expect(story.message?.hasPrefix("Welcome, ") == true)
            #expect(try await story.open("foyer://profile") == nil, "they are signed in now")
        }
        try await AppStory.tell(in: premises) { #expect($0.app?.pendingLink == nil && $0.place == "account/login") }
    }

    // MARK: Two processes

    @Test("Two programs on one flow: the second is told, reloads, and finds what it had typed in its field")
    func twoPrograms() async throws {
        try await AppStory.tell(in: premises) { try await $0.fill(ada[0], ada[1], ada[2]) }
        try await AppStory.tell(in: premises) { mine in
            try await AppStory.tell(in: premises) { try await $0.fill("Augusta") }
            let screen = try #require(mine.host.screen)
            let input = ScreenInput(for: screen, .accept, values: ["firstName": Secret("Ada")])
            let error = await #expect(throws: StoreError.self) { _ = try await mine.host.send(input) }
            #expect(error?.code == .movedOn)
            try await mine.host.reload()
            #expect(mine.place == "account/register/lastName", "their answer counts")
            try await mine.press("back")
            #expect(mine.host.screen?.fields.first?.value == "Ada", "mine is offered")
            try await mine.press("accept", ["Ada"])
        }
    }
}

extension Premises {
    /// All rows of the database, as another program reads them.
    func rows() async throws -> String {
        let finished = try await Program("sqlite3", ["-cmd", ".timeout 5000", database, ".dump"]).run()
        guard finished.exit == .code(0), finished.stdout.contains("INSERT") else { throw Failure(finished.stderr) }
        return finished.stdout
    }
}
