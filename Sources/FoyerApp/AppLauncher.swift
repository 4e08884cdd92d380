public import Foyer

/// Brings the whole program up, always in the same order: services, style, tree, what was unfinished, first screens.
public struct AppLauncher: Sendable {
    /// One step of the launch.
    public enum Step: String, CaseIterable, Sendable {
        /// The store and the network are open.
        case services
        /// Colours and the like are set.
        case style
        /// The root of the tree is made; nothing is in it yet.
        case root
        /// What was saved is back, or the first story has begun.
        case restoreOrStart
        /// The first screens can be drawn.
        case firstRender
    }

    private let configureAppServices: @Sendable () async throws -> AppDependency
    private let configureAppStyle: @Sendable () -> Void
    private let observe: @Sendable (Step) -> Void

    /// Takes what differs between programs.
    ///
    /// - Parameters:
    ///   - configureAppServices: opens the store and the network.
    ///   - configureAppStyle: sets colours and the like; a presenter's matter.
    ///   - observe: hears of each step right after it was done.
    public init(
        configureAppServices: @escaping @Sendable () async throws -> AppDependency,
        configureAppStyle: @escaping @Sendable () -> Void = {},
        observe: @escaping @Sendable (Step) -> Void = { _ in }
    ) {
        self.configureAppServices = configureAppServices
        self.configureAppStyle = configureAppStyle
        self.observe = observe
    }

    /// Launches where the program was left, or with the form of a story.
    ///
    /// A flow of that story which is open, and not in the tree yet, is gone on with.
    /// - Parameter type: the story to show in any case; without one the tree decides, and registration at first.
    @FlowActor
    public func launch(start type: AccountType? = nil) async throws -> FlowHost {
        let dependencies = try await configureAppServices()
        observe(.services)
        configureAppStyle()
        observe(.style)
        try await dependencies.flows.expireFlows()
        let root = AppCoordinator(start: type ?? .setup, dependencies: dependencies)
        observe(.root)
        let host = try await FlowHost.restore(
            root, name: root.slot, flows: dependencies.storage, users: dependencies.users,
            environment: dependencies.environment, delivery: dependencies.delivery
        ) { () throws(StoreError) in
            if let type { root.show(type) }
            if root.account.children.isEmpty, let flow = try await newestFlow(root.account.type, in: dependencies) {
                root.account.resume(flow)
            }
        }
        observe(.restoreOrStart)
        observe(.firstRender)
        return host
    }

    @FlowActor
    private func newestFlow(
        _ type: AccountType, in dependencies: AppDependency
    ) async throws(StoreError) -> SavedFlow? {
        let unfinished = try await dependencies.flows.unfinishedFlows()
        guard let newest = unfinished.first(where: { $0.kind == type.kind && $0.status == .open }) else { return nil }
        return try await dependencies.flows.flow(newest.id)
    }
}
