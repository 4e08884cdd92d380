public import Foyer

// One protocol for each service: a view model composes those that it needs, and reaches no others.

/// Has the people.
public protocol HasUsers: Sendable {
    /// The people in the store.
    var users: any UserRepository { get }
}

/// Has the flows.
public protocol HasFlows: Sendable {
    /// The flows in the store.
    var flows: any FlowRepository { get }
}

/// Has the outbox.
public protocol HasOutbox: Sendable {
    /// The submissions on their way to the network.
    var outbox: any SubmissionRepository { get }
}

/// Has the network.
public protocol HasNetworking: Sendable {
    /// Where finished flows are delivered; nil where everything waits in the outbox.
    var networking: (any AccountNetwork)? { get }
}

/// Has the clock.
public protocol HasEnvironment: Sendable {
    /// Time, waiting and chance.
    var environment: FoyerEnvironment { get }
}

/// Has the texts.
public protocol HasAssets: Sendable {
    /// The screens' texts.
    var assets: TemplateCatalog { get }
}
