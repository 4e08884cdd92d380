import FoyerMockNetwork
import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import Foyer
@testable import FoyerApp
@testable import FoyerFlow

@FlowActor
@Suite struct AppScenarioTests {
    // MARK: The stories

    @Test("A35: the type that the program starts with decides what is shown at launch", arguments: AccountType.allCases)
    func launch(type: AccountType) async throws {
        try await AppStory.tell(start: type) { story in
            #expect(story.place == "account/\(type.rawValue)")
        }
    }

    @Test(
        "A36: data is accepted and validated, the person is told if it is wrong, and requested if it is right",
        arguments: AccountType.allCases)
    func narrative(type: AccountType) async throws {
        try await AppStory.tell(start: type) { story in
            if type != .setup { try await story.registerAda() }
            let before = story.network.kinds.count
            #expect(try await story.press("accept", ["", "", ""]) == .refused)
            #expect(story.place == "account/\(type.rawValue)/alert" && story.message?.isEmpty == false)
            try await story.press("dismissAlert")
            #expect(try await story.press("accept", type.rightTexts) == .taken)
            for text in ada.dropFirst(3) where type == .setup { try await story.fill(text) }
            #expect(story.network.kinds.count == before)
            try await story.deliver()
            #expect(story.network.kinds.count == before + 1 && story.place == "account/result")
            try await story.press("done")
            #expect(story.place == "account/login")
        }
    }

    @Test("A37: it opens on setting up; whoever has an account goes to sign in, or asks for a forgotten password")
    func userStory() async throws {
        let premises = try Premises()
        try await AppStory.tell(in: premises) { story in
            #expect(story.place == "account/setup")
            try await story.fill(ada[0], ada[1], ada[2])
            try await story.fill(ada[3])
            try await story.fill(ada[4])
            try await story.deliver()
            #expect(story.message == "Welcome, Ada.")
            try await story.press("done")
            try await story.press("forgotpass")
            #expect(story.place == "account/forgotPassword")
            try await story.fill(ada[0])
            try await story.deliver()
            #expect(story.message?.hasPrefix("If ada@example.org has an account") == true)
            try await story.press("done")
            try await story.press("signup")
            #expect(story.place == "account/setup")
        }
    }

    @Test("A38: the navigation stack really changes: a flow is pushed, popped, and the form is replaced")
    func stack() async throws {
        try await AppStory.tell(start: .login) { story in
            #expect(story.stack == ["form"] && story.app?.account.type == .login)
            try await story.press("signup")
            #expect(story.stack == ["form"] && story.app?.account.type == .setup)
            try await story.fill(ada[0], ada[1], ada[2])
            #expect(story.stack == ["form", "register"])
            for _ in 0..<4 { try await story.press("back") }
            #expect(story.stack == ["form"] && story.place == "account/setup")
        }
    }

    // MARK: Registration

    @Test("C2: registration is a navigation coordinator with a single input on every screen")
    func singleInput() {
        let register = RegisterCoordinator()
        let navigation: NavigationCoordinator<User> = register
        for step in register.draft.definition.steps {
            #expect(navigation.makeScreen(step.id)?.fields.count == 1)
        }
    }

    @Test("C3: the steps are a fixed list of data, whose ids can be stored")
    func steps() {
        let ids = FlowDefinition.register.steps.map(\.id)
        #expect(ids == ["email", "userName", "password", "firstName", "lastName"])
        #expect(FlowDefinition.register.fingerprint == ids.map { "\($0)@1" }.joined(separator: " "))
    }

    @Test("Fault 9: a password of an interrupted registration is kept sealed, for a day, and nowhere readable")
    func interrupted() async throws {
        #expect(FlowDefinition.register[step: "password"]?.keep == .sealed)
        let premises = try Premises()
        try await AppStory.tell(in: premises) { try await $0.fill(ada[0], ada[1], ada[2]) }
        #expect(try premises.folder.occurrences(of: Array(ada[2].utf8)) == [])
        try await AppStory.tell(in: premises) { story in
            #expect(story.place == "account/register/firstName", "it is not asked again")
        }
        premises.clock.turn(by: .seconds(24 * 3600))
        try await AppStory.tell(in: premises) { story in
            #expect(story.place == "account/register/password", "it is asked again")
        }
    }

    // MARK: The tree of the program

    @Test("C10: the root coordinator manages every flow of the program")
    func root() async throws {
        try await AppStory.tell { story in
            #expect(story.host.describe() == "app\n  account\n  about")
            try await story.fill(ada[0], ada[1], ada[2])
            #expect(story.host.describe() == "app\n  account\n    register\n  about")
            #expect(story.host.root.subtree.allSatisfy { $0.root === story.app })
        }
    }

    @Test("C11: a feature is a child with a slot of its own, from which its place in the tree is named")
    func features() async throws {
        for type in AccountType.allCases {
            try await AppStory.tell(start: type) { story in
                try await story.press("accept", type.rightTexts)
                let slot = type.kind.rawValue
                #expect(story.host.root.nodes.map(\.path).contains("app/account/\(slot)"))
            }
        }
    }

    @Test("C18: a coordinator that was a whole program at first becomes a part of a larger one, unchanged")
    func growth() {
        let alone = RegisterCoordinator()
        alone.start()
        #expect(alone.rendering.active?.id == "register/email" && alone.rendering.active?.actions.count == 2)
        let account = AccountCoordinator()
        account.start()
        account.push(alone)
        #expect(account.rendering.active?.id == "account/register/email")
    }

    @Test("C19: when the session is lost, signing in lies over whatever is shown, and then that is there again")
    func sessionLost() async throws {
        let premises = try Premises(), census = Census()
        do {
            let foyer = try await premises.open()
            try await foyer.register().answer(contentsOf: ada)
            _ = try await foyer.sync()
            let root = NavigationCoordinator<Never>(slot: "root")
            let app = AppCoordinator(start: .forgotPassword, dependencies: foyer.dependencies)
            app.start()
            root.push(app)
            app.select("about")
            #expect(root.rendering.active?.id == "root/app/about/home")

            let login = LoginCoordinator(environment: premises.clock.environment)
            var told: [String?] = []
            login.didFinish = { told.append($0.userName) }
            login.start()
            root.present(login)
            let host = FlowHost(
                root: root, flows: foyer.storage, users: foyer.users, environment: premises.clock.environment)
            #expect(host.screen?.id == "root/login/userName" && host.screens.tabs.isEmpty)
            try await host.answer(ada[1], ada[2])
            census.note(root.subtree)
            _ = try await foyer.sync()
            try await host.reload()
            #expect(told == ["ada"] && host.screen?.id == "root/app/about/home")
        }
        #expect(census.seen.contains("LoginCoordinator") && census.alive == [])
    }

    // MARK: Scenarios

    @Test("What is resumed is of the story that the program starts with, whatever else was begun later")
    func resumedKind() async throws {
        let premises = try Premises()
        let foyer = try await premises.open()
        for host in [foyer.register(), foyer.login()] {
            let screen = try #require(host.screen), field = try #require(screen.fields.first)
            let text = field.key == "email" ? ada[0] : ada[1]
            #expect(try await host.send(ScreenInput(for: screen, .accept, values: [field.key: Secret(text)])) == .taken)
        }
        try await foyer.close()
        try await AppStory.tell(in: premises) { #expect($0.place == "account/register/userName") }
        try await AppStory.tell(start: .login, in: premises) { #expect($0.place == "account/login/password") }
    }

    @Test("Whatever is left half-way is there again in the next program, and gone when that ends")
    func resumed() async throws {
        let premises = try Premises()
        try await AppStory.tell(in: premises) { story in
            try await story.fill(ada[0], ada[1], ada[2])
            try await story.fill(ada[3])
        }
        try await AppStory.tell(in: premises) { story in
            #expect(story.place == "account/register/lastName")
            try await story.press("back")
            #expect(story.place == "account/register/firstName")
            try await story.fill("Ada Augusta")
            try await story.fill(ada[4])
            #expect(story.place == "account/register/review" || story.place == "account/register/submitted")
            if story.place.hasSuffix("review") { try await story.press("submit") }
            try await story.deliver()
            #expect(story.message == "Welcome, Ada Augusta.")
        }
    }

    @Test("A flow that is given up shows its form again, and is given up in the store too")
    func givenUp() async throws {
        try await AppStory.tell { story in
            try await story.fill(ada[0], ada[1], ada[2])
            try await story.press("cancel")
            #expect(story.place == "account/setup" && story.stack == ["form"])
            #expect(try await story.foyer.flows.unfinishedFlows().isEmpty)
        }
    }

    // MARK: Stale inputs

    /// A place of the program, where an input may come too late.
    enum Place: CaseIterable { case form, alert, child, submitted, about, contact }

    @Test(
        "An input for another revision, screen or action changes nothing, wherever it comes", arguments: Place.allCases)
    func stale(place: Place) async throws {
        try await AppStory.tell { story in
            switch place {
            case .form: break
            case .alert: try await story.press("accept")
            case .child: try await story.fill(ada[0], ada[1], ada[2])
            case .submitted:
                try await story.fill(ada[0], ada[1], ada[2])
                for text in ada.dropFirst(3) { try await story.fill(text) }
            case .about: try await story.press("tab.about")
            case .contact:
                try await story.press("tab.about")
                try await story.press("contact")
            }
            let screens = story.host.screens, shown = try #require(story.host.screen)
            let revisions = try await story.foyer.flows.unfinishedFlows().map(\.revision)
            let values = Dictionary(uniqueKeysWithValues: zip(shown.fields.map(\.key), ada.map { Secret($0) }))
            for action in screens.actions.map(\.id) + ["unknown"] {
                for (screen, revision) in [
                    (shown.id, shown.revision - 1), (shown.id, shown.revision + 1), ("app/other", shown.revision),
                ] {
                    let input = ScreenInput(screen: screen, revision: revision, action: action, values: values)
                    #expect(try await story.host.send(input) == .stale)
                }
            }
            let unknown = ScreenInput(screen: shown.id, revision: shown.revision, action: "unknown", values: values)
            #expect(try await story.host.send(unknown) == .stale)
            #expect(story.host.screens == screens)
            #expect(try await story.foyer.flows.unfinishedFlows().map(\.revision) == revisions)
        }
    }
}
