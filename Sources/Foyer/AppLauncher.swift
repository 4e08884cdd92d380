public import FoyerFlow
public import FoyerModel

/// Brings the whole program up, always in the same order: services, style, tree, what was unfinished, first screens.
public struct AppLauncher: Sendable {
    /// One step of the launch.
    public enum Step: String, CaseIterable, Sendable {
        case services, style, root, restoreOrStart, firstRender
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

    /// Launches with the form of a story, or where somebody stopped in it.
    @FlowActor
    public func launch(start type: AccountType = .setup) async throws -> FlowHost {
        let dependencies = try await configureAppServices()
        observe(.services)
        configureAppStyle()
        observe(.style)
        let root = AppCoordinator(start: type, dependencies: dependencies)
        observe(.root)
        root.start()
        let unfinished = try await dependencies.flows.unfinishedFlows()
        if let newest = unfinished.first(where: { $0.kind == type && $0.status == .open }),
            let flow = try await dependencies.flows.flow(newest.id)
        {
            root.account.resume(flow)
        }
        observe(.restoreOrStart)
        let host = FlowHost(
            root: root, flows: dependencies.flows, users: dependencies.users, environment: dependencies.environment)
        observe(.firstRender)
        return host
    }
}
