import FoyerFlow
import FoyerModel
import Synchronization
import TestSupport
import Testing

@testable import Foyer
@testable import FoyerApp

@FlowActor
@Suite struct AppTreeTests {
    @Test("D1: all navigation goes through the host, and screens are values that only say what was pressed")
    func host() async throws {
        try await AppStory.tell { story in
            for (action, place) in [
                ("tab.about", "about/home"), ("contact", "about/contact"), ("back", "about/home"),
                ("tab.account", "account/setup"),
            ] {
                try await story.press(action)
                #expect(story.place == place)
            }
            try await story.press("tab.about")
            try await story.press("contact")
            let revision = story.host.screen?.revision ?? 0
            #expect(await story.host.popped(to: "app/about/home", revision: revision) == .taken)
            #expect(story.place == "about/home")
        }
    }

    @Test("D4: the About tab makes its first screen, is its delegate, and gives its item to the bar")
    func wiring() {
        let about = AboutTabCoordinator()
        about.start()
        #expect(about.rootCoordinator === about && about.tabItem.title == "About")
        let input = ScreenInput(screen: "", revision: 0, action: "contact")
        #expect(about.respond(to: input, at: Timestamp(milliseconds: 0)) != nil)
        #expect(about.rendering.active?.id == "about/contact", "the delegate was asked")
    }

    @Test("D5: feedback and rating ask the presenter to leave the program, contact is a screen")
    func about() async throws {
        try await AppStory.tell { story in
            try await story.press("tab.about")
            #expect(story.host.screen?.actions.map(\.id) == ["feedback", "contact", "rate"])
            let mail = ExternalRequest.composeMail(to: "foyer@example.org", subject: "Feedback on Foyer")
            #expect(try await story.press("feedback") == .asks(mail))
            #expect(try await story.press("rate") == .asks(.openURL("https://example.org/foyer/rate")))
            #expect(try await story.press("contact") == .taken)
            #expect(story.place == "about/contact" && story.message == "Write to foyer@example.org.")
            try await story.press("back")
            #expect(story.place == "about/home")
        }
    }

    @Test("D9: the program's coordinator is a tab bar of Account and About, each of which keeps its place")
    func tabs() async throws {
        try await AppStory.tell { story in
            #expect(story.host.screens.tabs.map(\.title) == ["Account", "About"])
            try await story.fill(ada[0], ada[1], ada[2])
            try await story.press("tab.about")
            try await story.press("contact")
            try await story.press("tab.account")
            #expect(story.place == "account/register/firstName")
            try await story.press("tab.about")
            #expect(story.place == "about/contact")
        }
    }

    @Test("D10: a launch is services, style, tree, restoring or starting, first screens; in this order")
    func launch() async throws {
        let premises = try Premises()
        let foyer = try await premises.open(.offline(premises.mock))
        let order = Recorder()
        let launcher = AppLauncher(
            configureAppServices: {
                order.note("configureAppServices")
                return foyer.dependencies
            },
            configureAppStyle: { order.note("configureAppStyle") }, observe: { order.note($0.rawValue) })
        let host = try await launcher.launch()
        #expect(
            order.noted == [
                "configureAppServices", "services", "configureAppStyle", "style", "root", "restoreOrStart",
                "firstRender",
            ])
        #expect(host.screen?.id == "app/account/setup")
        try await foyer.close()
    }

    private final class Recorder: Sendable {
        private let lines = Mutex<[String]>([])
        var noted: [String] { lines.withLock { $0 } }
        func note(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("D11: screens are self-contained: each is made and used without any coordinator")
    func selfContained() {
        let form = createScreen(for: .login).makeScreen(id: "anywhere")
        let home = AboutHomeScreen().makeScreen(id: "anywhere else")
        #expect(form.id == "anywhere" && form.fields.count == 2 && home.actions.count == 3)
    }
}
