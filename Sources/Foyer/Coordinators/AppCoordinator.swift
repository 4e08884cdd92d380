public import FoyerFlow
public import FoyerModel

/// The root of the whole program: the tabs *Account* and *About*, beginning with the story that it is started with.
@FlowActor
public final class AppCoordinator: TabBarCoordinator, NeedsDependency {
    /// The tab of the account's three stories.
    public let account: AccountCoordinator
    public var dependencies: AppDependency? { didSet { updateChildCoordinatorDependencies() } }

    /// Makes the program's tree; nothing is shown before `start`.
    public init(start type: AccountType = .setup, dependencies: AppDependency? = nil) {
        account = AccountCoordinator(start: type)
        super.init(slot: "app", tabs: [deGenericize(account), deGenericize(AboutTabCoordinator())])
        self.dependencies = dependencies
        updateChildCoordinatorDependencies()
    }
}
