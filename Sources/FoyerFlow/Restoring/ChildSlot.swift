/// A kind of child that a coordinator can have, declared once: a fresh child and one that is made again as it was
/// saved are made and wired by the same entry, so that an outcome reaches the parent also after a restart.
///
///     static let register = ChildSlot(
///         "register",
///         make: { (account: AccountCoordinator, flow: FlowReference) in RegisterCoordinator(id: flow.flow) },
///         then: { account, outcome in if case .finished(let user) = outcome { account.welcome(user) } })
@FlowActor
public struct ChildSlot<
    Parent: AnyCoordinator, Config: Codable & Sendable, Output: Sendable, Child: Coordinator<Output>
> {
    /// The stable name of the kind, which is saved.
    public let id: String
    private let make: (Parent, Config) -> Child
    private let then: (Parent, Outcome<Output>) -> Void

    /// Declares the kind.
    ///
    /// - Parameters:
    ///   - id: the stable name.
    ///   - make: makes a child from its config, which is saved; wires nothing.
    ///   - then: what the child's outcome means for the parent, which is not held.
    public init(
        _ id: String, make: @escaping @FlowActor (Parent, Config) -> Child,
        then: @escaping @FlowActor (Parent, Outcome<Output>) -> Void
    ) {
        self.id = id
        self.make = make
        self.then = then
    }

    /// Makes a child and wires its outcome; where it is shown is the parent's matter.
    public func child(of parent: Parent, _ config: Config) -> Child {
        let child = make(parent, config)
        child.slot = id
        child.config = JSONText.encode(config)
        child.didEnd = { [weak parent, then] outcome in
            if let parent { then(parent, outcome) }
        }
        return child
    }
}

/// A slot of any kind, as a coordinator lists them in `slots`.
@FlowActor
public struct AnyChildSlot {
    let id: String
    let child: (AnyCoordinator, _ config: String) throws -> AnyCoordinator

    /// Takes the kind off a slot.
    public init<Parent, Config, Output, Child>(_ slot: ChildSlot<Parent, Config, Output, Child>) {
        id = slot.id
        child = { parent, config in
            guard let parent = parent as? Parent else { throw UnknownPlace() }
            return slot.child(of: parent, try JSONText.decode(Config.self, from: config))
        }
    }
}

/// A saved place that this version of the program does not have.
package struct UnknownPlace: Error {
    package init() {}
}
