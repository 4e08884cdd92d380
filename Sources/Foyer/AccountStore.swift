public import FoyerFlow
public import FoyerModel
import FoyerStore
public import FoyerSync

/// An account store with its sync: opened once, then asked for flows, people and the outbox.
public struct AccountStore: Sendable {
    /// Where finished flows are delivered.
    public enum Network: Sendable {
        /// An account server, over HTTP.
        case http(HTTPNetwork.Configuration)
        /// A network of the app's own.
        case custom(any AccountNetwork)
        /// Nowhere for now: what is finished waits in the outbox for that network.
        indirect case offline(Network)

        /// The name that submissions are bound to: they are sent to the network of this name, or nowhere.
        public var endpoint: String {
            switch self {
            case .http(let configuration): configuration.endpoint
            case .custom(let network): network.endpoint
            case .offline(let network): network.endpoint
            }
        }
    }

    /// The people in the store.
    public var users: any UserRepository { store }
    /// The flows in the store.
    public var flows: any FlowRepository { store }
    /// The submissions on their way to the network.
    public var outbox: any SubmissionRepository { store }
    /// All of them, as the library's own rooms work with them.
    package var storage: any FlowStorage & DeliveryQueue & NamedLookup { store }
    /// Delivers the outbox; nil where the network is `offline`.
    public let service: SyncService?
    let store: Repositories
    package let networking: (any AccountNetwork)?
    package let definitions: [FlowKind: FlowDefinition]
    /// The clock and chance, as they were given to `open`.
    public let environment: FoyerEnvironment
    let log: Log

    /// Opens the store at `path`, making or migrating the database where that is needed.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder is made when it is missing.
    ///   - keyFile: the file with the key that secrets are sealed under. It has to lie in another folder than the
    ///     database; without a word it is `foyer/key` in the XDG state folder.
    ///   - key: where the key comes from, in place of `keyFile`.
    ///   - sealingKey: the server's key; where given, a password that is entered can be opened by that server alone.
    ///   - network: where finished flows are delivered. A submission is sent to the network that it was made for, or
    ///     nowhere: after a change of the server's address, `outbox.redirect` moves what still waits.
    ///   - definitions: the app's own steps, in place of those that ship for their kinds.
    ///   - retention: for how long what nobody goes on with is kept; what is over its time is removed by and by.
    ///   - offlineSignIn: where given, `verifyOffline` knows whom the network has accepted; off by default.
    ///   - createIfMissing: false gives the error `noDatabase` where there is no file, and makes none.
    ///   - environment: the clock and chance.
    ///   - log: told what the store does, in lines that hold no secret, and personal values masked; silent by default.
    /// - Throws: `StoreError`, whose message says what to do.
    public static func open(
        at path: String, keyFile: String? = nil, key: KeySource? = nil, sealingKey: SealingKey? = nil,
        network: Network, definitions: [FlowDefinition] = [], retention: RetentionPolicy = RetentionPolicy(),
        offlineSignIn: OfflineSignIn? = nil, createIfMissing: Bool = true, environment: FoyerEnvironment = .system,
        log: Log? = nil
    ) async throws(StoreError) -> AccountStore {
        try await open(
            at: path, key: try Locations.key(key, inFile: keyFile), endpoint: .named(network.endpoint),
            sealingKey: sealingKey, network: { _ in network }, definitions: definitions, retention: retention,
            offlineSignIn: offlineSignIn, createIfMissing: createIfMissing, environment: environment, log: log)
    }

    /// Opens the store where the network may be the one that the store was used with first.
    /// - Parameter network: the network of that endpoint.
    package static func open(
        at path: String, key: KeySource, endpoint: EndpointChoice, sealingKey: SealingKey? = nil,
        network: (_ endpoint: String) -> Network, definitions: [FlowDefinition] = [],
        retention: RetentionPolicy = RetentionPolicy(), offlineSignIn: OfflineSignIn? = nil,
        createIfMissing: Bool = true, environment: FoyerEnvironment = .system, log: Log? = nil
    ) async throws(StoreError) -> AccountStore {
        let store = try await Repositories.open(
            at: path, key: key, endpoint: endpoint, sealingKey: sealingKey, offlineSignIn: offlineSignIn,
            createIfMissing: createIfMissing, retention: retention, environment: environment)
        let networking: (any AccountNetwork)? =
            switch network(store.endpoint) {
            case .offline: nil
            case .http(let configuration): HTTPNetwork(configuration)
            case .custom(let network): network
            }
        var steps = Dictionary(
            uniqueKeysWithValues: FlowKind.allCases.map { ($0, FlowDefinition.standard(for: $0)) })
        for definition in definitions { steps[definition.kind] = definition }
        let service = networking.map {
            SyncService(outbox: store, network: $0, definitions: Array(steps.values), environment: environment)
        }
        if let log {
            log(LogLine("store.opened", ["network": .word(networking?.endpoint ?? "offline")]))
            service?.report(to: log)
        }
        return AccountStore(
            service: service, store: store, networking: networking, definitions: steps, environment: environment,
            log: log ?? { _ in })
    }

    /// The steps of a kind of flow, in this program.
    public func definition(for kind: FlowKind) -> FlowDefinition {
        definitions[kind] ?? .standard(for: kind)
    }

    /// The name of the network that submissions are made for.
    public var endpoint: String { store.endpoint }

    /// The endpoint that the store's first flow was begun for.
    package func firstEndpoint() throws(StoreError) -> String? { try store.firstEndpoint() }

    /// The unfinished flow that was changed last, with its answers; one that only waits for the network, too.
    ///
    /// What an app goes on with when it starts: somebody who has given the last answer must not be asked anew.
    /// - Throws: `StoreError`.
    public func newestUnfinishedFlow() async throws(StoreError) -> SavedFlow? {
        try await store.newestUnfinishedFlow()
    }

    /// Closes the store after what is under way.
    public func close() async throws(StoreError) {
        await service?.stop()
        await service?.giveBack()
        await networking?.close()
        try await store.close()
        log(LogLine("store.closed"))
    }
}

extension AccountStore {
    /// Begins a new registration; it is written with its first accepted answer.
    ///
    /// - Parameters:
    ///   - didFinish: told once, with the person, when the network has accepted the account.
    ///   - didCancel: told once when the registration is given up.
    @FlowActor
    public func register(didFinish: ((User) -> Void)? = nil, didCancel: (() -> Void)? = nil) -> FlowHost {
        start(
            RegisterCoordinator(definition: definition(for: .register), environment: environment),
            didFinish: didFinish, didCancel: didCancel)
    }

    /// Begins a new sign-in; it is written with its first accepted answer.
    ///
    /// - Parameters:
    ///   - didFinish: told once, with the person, when the network has let them in. Foyer keeps no session.
    ///   - didCancel: told once when the sign-in is given up.
    @FlowActor
    public func login(didFinish: ((User) -> Void)? = nil, didCancel: (() -> Void)? = nil) -> FlowHost {
        start(
            LoginCoordinator(definition: definition(for: .login), environment: environment),
            didFinish: didFinish, didCancel: didCancel)
    }

    /// Begins to ask for a new password; it is written with its first accepted answer.
    ///
    /// - Parameters:
    ///   - didFinish: told once, with the address that was given, when the network has taken the request.
    ///   - didCancel: told once when the request is given up.
    @FlowActor
    public func resetPassword(didFinish: ((String) -> Void)? = nil, didCancel: (() -> Void)? = nil) -> FlowHost {
        start(
            ResetPasswordCoordinator(definition: definition(for: .reset), environment: environment),
            didFinish: didFinish, didCancel: didCancel)
    }

    /// Goes on with a saved flow, at the first step that has no usable answer.
    ///
    /// - Parameters:
    ///   - flow: an unfinished flow of any kind.
    ///   - didFinish: told once when the network has accepted it; with the person, where the flow has one.
    ///   - didCancel: told once when the flow is given up.
    /// - Throws: `flowClosed` when the flow has ended.
    @FlowActor
    public func resume(
        _ flow: SavedFlow, didFinish: ((User?) -> Void)? = nil, didCancel: (() -> Void)? = nil
    ) throws(StoreError) -> FlowHost {
        guard flow.status.isUnfinished, !flow.isOverdue(at: environment.now()) else {
            let status = flow.status.isUnfinished ? .expired : flow.status
            throw StoreError(.flowClosed, "This flow is \(status.rawValue); there is nothing to continue.")
        }
        let definition = definition(for: flow.kind)
        switch flow.kind {
        case .register:
            let coordinator = RegisterCoordinator(resuming: flow, definition: definition, environment: environment)
            return start(coordinator, didFinish: didFinish, didCancel: didCancel)
        case .login:
            let coordinator = LoginCoordinator(resuming: flow, definition: definition, environment: environment)
            return start(coordinator, didFinish: didFinish, didCancel: didCancel)
        case .reset:
            let coordinator = ResetPasswordCoordinator(
                resuming: flow, definition: definition, environment: environment)
            return start(coordinator, didFinish: didFinish.map { tell in { _ in tell(nil) } }, didCancel: didCancel)
        }
    }

    /// Runs a coordinator of the app's own on this store, as `register` runs the registration's.
    ///
    /// Whether it goes on with a saved flow or begins a new one is the coordinator's matter. With a saved flow, the
    /// coordinator's state and its children are as they were saved.
    /// - Parameters:
    ///   - coordinator: one that was not started yet; the host owns it.
    ///   - didFinish: told once, with the coordinator's output, when the network has accepted what it asked for.
    ///   - didCancel: told once when it is given up.
    @FlowActor
    public func host<Output>(
        _ coordinator: StepCoordinator<Output>, didFinish: ((Output) -> Void)? = nil, didCancel: (() -> Void)? = nil
    ) async throws(StoreError) -> FlowHost {
        coordinator.didFinish = didFinish
        coordinator.didCancel = didCancel
        return try await FlowHost.restore(
            coordinator, name: nil, flows: store, users: store, environment: environment, delivery: deliver)
    }

    /// Runs a coordinator that has nothing but its flow's answers to bring back.
    @FlowActor
    private func start<Output>(
        _ coordinator: StepCoordinator<Output>, didFinish: ((Output) -> Void)?, didCancel: (() -> Void)?
    ) -> FlowHost {
        coordinator.didFinish = didFinish
        coordinator.didCancel = didCancel
        coordinator.start()
        return FlowHost(root: coordinator, flows: store, users: store, environment: environment, delivery: deliver)
    }

    /// Runs a whole tree of coordinators on this store, as it was saved under the slot of its root; without anything
    /// saved, from its start.
    ///
    /// Each flow is fitted to the steps of today, and nothing is shown before all of it is settled. What cannot be brought
    /// back stays in its rows; `FlowHost.notes` says so.
    /// - Parameters:
    ///   - root: a tree that was not started yet; the host owns it.
    ///   - settle: what else to do to the tree before it is shown.
    @FlowActor
    public func restore(
        _ root: AnyCoordinator, settle: () async throws(StoreError) -> Void = {}
    ) async throws(StoreError) -> FlowHost {
        try await FlowHost.restore(
            root, name: root.slot, flows: store, users: store, environment: environment, delivery: deliver,
            settle: settle)
    }

    /// Delivers what is due, and what falls due within `timeout`.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait, from one verdict to the next, for what is not due yet.
    /// - Returns: what this run did; where the network is `offline`, only how many wait.
    /// - Throws: `StoreError` when the outbox cannot be read or written.
    public func sync(waitingUpTo timeout: Duration = .zero) async throws(StoreError) -> SyncReport {
        guard let service else {
            let backlog = try await outbox.backlog(for: endpoint)
            return SyncReport(waiting: backlog.waiting, elsewhere: backlog.elsewhere)
        }
        do throws(StoreError) {
            let report = try await service.sync(waitingUpTo: timeout)
            log(
                LogLine(
                    "sync.ended",
                    [
                        "accepted": .count(report.accepted), "rejected": .count(report.rejected),
                        "waiting": .count(report.waiting),
                    ]))
            return report
        } catch {
            log(LogLine("sync.failed", ["code": .word(error.code.rawValue)]))
            throw error
        }
    }

    /// Delivers what is due, and returns as soon as one submission has its verdict: after `limit` at the latest,
    /// whatever the network does. The store then tells how far it has come.
    ///
    /// What is being sent when the time is over goes on until it has its answer, or the store is closed.
    /// - Parameters:
    ///   - submission: the submission whose verdict a person waits for. If its endpoint's circuit breaker is open, the
    ///     call probes the endpoint at once.
    ///   - limit: how long to wait. Where the network is `offline` nothing is waited for.
    /// - Throws: `StoreError` when the outbox cannot be read or written.
    package func deliver(_ submission: UUIDv7, within limit: Duration) async throws(StoreError) {
        try await service?.deliver(submission, within: limit)
    }
}
