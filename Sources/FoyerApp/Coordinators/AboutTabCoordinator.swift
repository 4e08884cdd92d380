public import Foyer

/// What the first screen of the About tab can ask for.
@FlowActor
protocol AboutHomeScreenDelegate: AnyObject {
    /// Somebody wants to say something.
    func handleFeedbackButton()
    /// Somebody wants to know how to reach us.
    func showContactUs()
    /// Somebody wants to rate the app, outside of it.
    func rateApp()
}

/// The first screen of the About tab.
@FlowActor
final class AboutHomeScreen {
    static let feedback = ScreenAction("feedback", title: "Give feedback")
    static let contact = ScreenAction("contact", title: "Contact us")
    static let rate = ScreenAction("rate", title: "Rate this app")

    weak var delegate: (any AboutHomeScreenDelegate)?

    func makeScreen(id: String) -> Screen {
        Screen(
            id: id, title: "About", content: .menu("Foyer remembers everyone who is half-way through the door."),
            actions: [Self.feedback, Self.contact, Self.rate])
    }

    /// Whether the action is one of this screen's.
    func handle(_ action: ScreenAction.ID) -> Bool {
        switch action {
        case Self.feedback.id: delegate?.handleFeedbackButton()
        case Self.contact.id: delegate?.showContactUs()
        case Self.rate.id: delegate?.rateApp()
        default: return false
        }
        return true
    }
}

/// The tab *About*: feedback, contact, and rating the app, of which the presenter does what lies outside the program.
@FlowActor
public final class AboutTabCoordinator: NavigationCoordinator<Never>, TabCoordinator {
    private static let home = "home"
    private static let contact = "contact"
    private static let address = "foyer@example.org"

    public let tabItem = TabItem("about", title: "About", image: "info", selectedImage: "info.fill")
    public var rootCoordinator: AboutTabCoordinator { self }
    private let homeScreen = AboutHomeScreen()
    private var request: ExternalRequest?

    /// Makes the tab with its first screen.
    public init() {
        super.init(slot: "about")
        homeScreen.delegate = self
    }

    public override func start() {
        replaceStack(with: [Self.home])
    }

    public override func makeScreen(_ name: String) -> Screen? {
        switch name {
        case Self.home: homeScreen.makeScreen(id: "\(path)/home")
        case Self.contact:
            Screen(
                id: "\(path)/contact", title: "Contact us", content: .message("Write to \(Self.address)."),
                actions: [.back])
        default: nil
        }
    }

    public override func destination(of link: ArraySlice<String>) -> Destination? {
        switch Array(link) {
        case []: Destination()
        case [Self.contact]: Destination { [weak self] in self?.replaceStack(with: [Self.home, Self.contact]) }
        default: nil
        }
    }

    public override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        defer { request = nil }
        guard visibleScreen == Self.home, homeScreen.handle(input.action) else {
            return super.respond(to: input, at: now)
        }
        return Reaction(request: request)
    }
}

extension AboutTabCoordinator: AboutHomeScreenDelegate {
    func handleFeedbackButton() {
        request = .composeMail(to: Self.address, subject: "Feedback on Foyer")
    }

    func showContactUs() {
        push(Self.contact)
    }

    func rateApp() {
        request = .openURL("https://example.org/foyer/rate")
    }
}
