public import Foyer

/// The root of the whole program: the tabs *Account* and *About*, beginning with the story that it is started with.
@FlowActor
public final class AppCoordinator: TabBarCoordinator, NeedsDependency {
    /// The tab of the account's three stories.
    public let account: AccountCoordinator
    public var dependencies: AppDependency? { didSet { updateChildCoordinatorDependencies() } }
    /// The link to follow once a person has signed in.
    @Saved public private(set) var pendingLink: DeepLink? = nil

    /// Makes the program's tree; nothing is shown before `start`.
    public init(start type: AccountType = .setup, dependencies: AppDependency? = nil) {
        account = AccountCoordinator(start: type)
        super.init(slot: "app", tabs: [deGenericize(account), deGenericize(AboutTabCoordinator())])
        self.dependencies = dependencies
        updateChildCoordinatorDependencies()
        account.didAuthenticate = { [weak self] _ in self?.goOnWithPendingLink() }
    }

    /// Shows a story: as it stands where it is the account's present one, else from its form.
    public func show(_ type: AccountType) {
        select(account.slot)
        if account.type != type { account.configure(for: type) }
    }

    // MARK: Links

    /// The tabs' names come first in a link; what the account can show may stand alone, as in `foyer://register`.
    public override func destination(of link: ArraySlice<String>) -> Destination? {
        if needsSignIn(link) { return signIn(before: link) }
        return super.destination(of: link) ?? super.destination(of: ["account"] + link)
    }

    /// The one place that says which links are for somebody who has signed in.
    private func needsSignIn(_ link: ArraySlice<String>) -> Bool {
        account.user == nil && [["profile"], ["account", "profile"]].contains(Array(link))
    }

    private func signIn(before link: ArraySlice<String>) -> Destination? {
        guard var destination = super.destination(of: ["account", "login"]) else { return nil }
        destination.waitsFor = "sign in first; you are led on afterwards"
        destination.before { [weak self] in self?.pendingLink = DeepLink(path: link) }
        return destination
    }

    private func goOnWithPendingLink() {
        guard let link = pendingLink else { return }
        pendingLink = nil
        destination(of: link.path[...])?.go()
    }
}
