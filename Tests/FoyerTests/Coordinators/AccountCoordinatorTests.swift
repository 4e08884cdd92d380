import FoyerFlow
import FoyerMockNetwork
import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import Foyer
@testable import FoyerApp

@FlowActor
@Suite struct AccountCoordinatorTests {
    // MARK: A3: what coordinators do

    @Test("A3: a coordinator creates its screens")
    func creates() {
        let account = AccountCoordinator(start: .login)
        account.start()
        #expect(account.makeScreen("form")?.id == "account/login" && account.makeScreen("unknown") == nil)
    }

    @Test("A3: a coordinator shows and hides screens")
    func shows() async throws {
        try await AppStory.tell { story in
            try await story.press("accept")
            #expect(story.place == "account/setup/alert")
            try await story.press("dismissAlert")
            #expect(story.place == "account/setup")
        }
    }

    @Test("A3: a coordinator is configured with its services, and hands them on")
    func configured() async throws {
        try await AppStory.tell { story in
            let account = try #require(story.app?.account)
            #expect(account.dependencies?.networking?.endpoint == "recording")
        }
    }

    @Test("A3: a coordinator receives what was asked for, and routes it to the service, and the result back")
    func routes() async throws {
        try await AppStory.tell { story in
            try await story.registerAda()
            try await story.press("accept", ["grace@example.org", "ADA", "another long secret"])
            #expect(story.place == "account/register/firstName", "received")
            try await story.fill("Grace")
            try await story.fill("Hopper")
            try await story.deliver()
            #expect(story.network.kinds == [.register, .register], "routed to the service")
            #expect(story.place == "account/register/userName", "routed back")
            #expect(story.host.screen?.fields.first?.error == FieldMessage("username.taken"))
        }
    }

    // MARK: Names and services

    @Test("A4: each coordinator is named by the activity that it manages")
    func names() {
        let coordinators: [AnyCoordinator] = [
            AppCoordinator(), AccountCoordinator(), AboutTabCoordinator(), RegisterCoordinator(), LoginCoordinator(),
            ResetPasswordCoordinator(),
        ]
        for coordinator in coordinators {
            let activity = coordinator.slot.prefix(1).uppercased() + coordinator.slot.dropFirst()
            #expect("\(type(of: coordinator))".hasPrefix(activity))
        }
    }

    @Test("A5: one container holds persistence, networking, texts and clock; the store itself keeps the secrets")
    func container() async throws {
        try await AppStory.tell { story in
            let services = story.foyer.dependencies
            #expect(try await services.users.users().isEmpty)
            #expect(try await services.outbox.submissions().isEmpty)
            #expect(try await services.flows.newestOpenFlow() == nil)
            #expect(services.networking?.endpoint == "recording")
            #expect(services.environment.now() == story.premises.clock.environment.now())
            #expect(try services.assets.template(named: "LoginScreen", for: LoginScreen.self).title == "Sign in")
            try await story.fill(ada[0], ada[1], ada[2])
            #expect(try story.premises.folder.occurrences(of: Array(ada[2].utf8)) == [])
        }
    }

    /// Needs the program's services, at any depth.
    private final class Probe: AnyCoordinator, NeedsDependency {
        var dependencies: AppDependency? { didSet { updateChildCoordinatorDependencies() } }
        var endpoint: String? { dependencies?.networking?.endpoint }
    }

    @Test("A6: networking that is swapped in the middle of a flow is seen in the deepest coordinator and in later ones")
    func swapped() async throws {
        try await AppStory.tell { story in
            try await story.fill(ada[0], ada[1], ada[2])
            let register = try #require(story.app?.account.children.first as? RegisterCoordinator)
            let deepest = Probe(slot: "deepest"), later = Probe(slot: "later")
            register.addChild(deepest)
            #expect(deepest.endpoint == "recording")
            story.app?.dependencies?.networking = MockNetwork(path: story.premises.folder.appending("other"))
            #expect(deepest.endpoint == "mock")
            deepest.addChild(later)
            #expect(later.endpoint == "mock")
            try await story.fill("Ada")
            #expect(story.place == "account/register/lastName", "the flow goes on")
        }
    }

    // MARK: Networking

    @Test("A7: every call succeeds with (success, 200)", arguments: AccountType.allCases)
    func performs(type: AccountType) async throws {
        let folder = try TemporaryFolder()
        let network = MockNetwork(path: folder.appending("server"))
        for _ in 0..<2 { #expect(await network.perform(call: type.kind, with: Credentials()) == ("success", 200)) }
        let response = await withCheckedContinuation { done in
            network.perform(call: type.kind, with: Credentials()) { done.resume(returning: $0) }
        }
        #expect(response == ("success", 200))
    }

    @Test("A7: a script puts failures, silence and delay in place of success, once each, from the front")
    func scripted() async throws {
        let folder = try TemporaryFolder(), clock = TestClock()
        let network = MockNetwork(
            path: folder.appending("server"),
            script: [.answer("issue processing request", 500), .offline, .lost, .slow(.seconds(30))],
            environment: clock.environment)
        var answers: [String] = []
        let begin = clock.environment.now()
        for _ in 0..<5 {
            let (message, status) = await network.perform(call: .login, with: Credentials())
            answers.append("\(message) \(status)")
        }
        #expect(
            answers == ["issue processing request 500", "offline 0", "no answer 0", "success 200", "success 200"])
        #expect(clock.environment.now() == begin + .seconds(30))
    }

    @Test("A7: a network that fails and then succeeds delivers at the attempt that succeeds")
    func failsThenSucceeds() async throws {
        try await AppStory.tell(start: .forgotPassword, script: [.offline, .offline]) { story in
            try await story.fill(ada[0])
            _ = try await story.foyer.sync()
            try await story.host.reload()
            #expect(story.place == "account/reset/submitted")
            _ = try await story.foyer.sync(waitingUpTo: .seconds(3600))
            try await story.host.reload()
            #expect(story.place == "account/result" && story.network.kinds == [.reset, .reset, .reset])
        }
    }

    // MARK: Credentials

    @Test("A26: credentials come from the input by the fields' wire names, and no password is printed with them")
    func credentials() async throws {
        try await AppStory.tell { story in
            try await story.fill(ada[0], ada[1], ada[2])
            try await story.fill(ada[3])
            try await story.fill(ada[4])
            try await story.deliver()
            let request = try #require(story.network.requests.first)
            for (key, text) in zip(
                ["email_field", "user_name", "first_name", "last_name"], ada.filter { $0 != ada[2] })
            {
                #expect(String(revealing: request.body).contains("\"\(key)\":\"\(text)\""))
            }
            #expect(String(revealing: request.body).contains(ada[2]) && !"\(request)".contains(ada[2]))
        }
    }

    @Test("A27: what was provided and validated becomes a row of the outbox; the network is asked later")
    func provided() async throws {
        try await AppStory.tell(start: .login) { story in
            try await story.registerAda()
            try await story.fill(ada[1], ada[2])
            #expect(story.place == "account/login/submitted" && story.network.kinds == [.register])
            #expect(try await story.foyer.outbox.submissions().map(\.state.name) == [.accepted, .ready])
            try await story.deliver()
            #expect(story.network.kinds == [.register, .login])
        }
    }

    @Test("A27: what the form's rules let pass and the step's rules refuse is told on the form, and nothing is begun")
    func refusedBySteps() async throws {
        try await AppStory.tell { story in
            let result = try await story.press("accept", [ada[0], "a b", ada[2]])
            #expect(result == .refused)
            #expect(story.place == "account/setup/alert" && story.app?.account.children.isEmpty == true)
            #expect(try await story.foyer.flows.unfinishedFlows().isEmpty)
        }
    }

    @Test("A28: the account coordinator is the screen's delegate; both results come back, and who signs in is told")
    func results() async throws {
        try await AppStory.tell(start: .login) { story in
            var told: [String?] = []
            story.app?.account.didAuthenticate = { told.append($0.userName) }
            try await story.registerAda()
            try await story.fill(ada[1], "the wrong password")
            try await story.deliver()
            #expect(story.place == "account/login/password" && story.host.screen?.fields.first?.error != nil)
            #expect(told.isEmpty)
            try await story.fill(ada[2])
            try await story.deliver()
            #expect(story.place == "account/result" && story.message == "Welcome, Ada." && told == ["ada"])
            story.app?.account.didAuthenticate = nil
        }
    }

    @Test(
        "Fault 7: the network's refusal comes back to the screen, with its field and its words",
        arguments: [AccountType.setup, .login])
    func refusalComesBack(type: AccountType) async throws {
        try await AppStory.tell(start: type) { story in
            if type == .setup { try await story.registerAda() }
            try await story.press("accept", type.rightTexts)
            if type == .setup {
                try await story.fill("Grace")
                try await story.fill("Hopper")
            }
            try await story.deliver()
            let field = try #require(story.host.screen?.fields.first)
            #expect(field.key == (type == .setup ? "email" : "password"))
            #expect(field.error == FieldMessage(type == .setup ? "email.taken" : "login.failed"))
        }
    }

    // MARK: The three stories

    @Test("A29: from each story to each, the same coordinator is configured anew", arguments: AccountType.allCases)
    func transitions(from: AccountType) {
        for to in AccountType.allCases {
            let account = AccountCoordinator(start: from)
            account.start()
            #expect(account.type == from && account.rendering.active?.id == "account/\(from.rawValue)")
            account.updateResponder(to: to)
            #expect(account.type == to && account.rendering.active?.id == "account/\(to.rawValue)")
            #expect(account.stack.map { $0.name } == ["form"])
        }
    }

    @Test("A34: configuring ends what was open, and the new screen reports to the coordinator")
    func configures() async throws {
        try await AppStory.tell { story in
            try await story.fill(ada[0], ada[1], ada[2])
            let account = try #require(story.app?.account)
            #expect(story.stack == ["form", "register"])
            account.configure(for: .login)
            #expect(story.stack == ["form"] && account.children.isEmpty)
            let input = ScreenInput(screen: "", revision: 0, action: "forgotpass")
            #expect(account.respond(to: input, at: story.premises.clock.environment.now()) != nil)
            #expect(account.type == .forgotPassword)
        }
    }
}
