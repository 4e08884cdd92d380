public import Foyer

/// All services of the program in one container, which coordinators hand down their tree.
///
/// Secrets have no service of their own here: the repositories seal and open them, and give them to nobody else.
public struct AppDependency: HasUsers, HasFlows, HasOutbox, HasNetworking, HasEnvironment, HasAssets {
    public var users: any UserRepository
    package var storage: any FlowStorage
    public var flows: any FlowRepository { storage }
    public var outbox: any SubmissionRepository
    public var networking: (any AccountNetwork)?
    public var environment: FoyerEnvironment
    /// Delivers a submission that a person waits for.
    package var delivery: FlowHost.Delivery
    public var assets: TemplateCatalog
    /// The flows' steps, where they are not the ones that ship.
    public var definitions: [FlowKind: FlowDefinition]

    /// Puts the services together.
    package init(
        users: any UserRepository, flows: any FlowStorage, outbox: any SubmissionRepository,
        networking: (any AccountNetwork)? = nil, environment: FoyerEnvironment = .system,
        delivery: @escaping FlowHost.Delivery = { _, _ throws(StoreError) in }, assets: TemplateCatalog = .foyer,
        definitions: [FlowKind: FlowDefinition] = [:]
    ) {
        self.users = users
        storage = flows
        self.outbox = outbox
        self.networking = networking
        self.environment = environment
        self.delivery = delivery
        self.assets = assets
        self.definitions = definitions
    }
}

extension TemplateCatalog {
    /// The templates of Foyer's own screens.
    public static let foyer = TemplateCatalog(files: EmbeddedTemplates.all)
}

extension AccountStore {
    /// What the coordinators of a whole program work with.
    public var dependencies: AppDependency {
        AppDependency(
            users: users, flows: storage, outbox: outbox, networking: networking, environment: environment,
            delivery: deliver, definitions: definitions)
    }
}
