/// A coordinator that works with services, and hands them on to every coordinator below it, also to later ones.
///
///     var dependencies: AppDependency? { didSet { updateChildCoordinatorDependencies() } }
@FlowActor
public protocol NeedsDependency: AnyCoordinator {
    /// What holds the services.
    associatedtype Dependency: Sendable
    /// The services; nil before they were set.
    var dependencies: Dependency? { get set }
}

extension NeedsDependency {
    /// Hands the services to every coordinator below that needs such ones.
    public func updateChildCoordinatorDependencies() {
        guard let dependencies else { return }
        for child in children { child.take(dependencies) }
    }

    fileprivate func inherit(_ value: some Sendable) {
        if let value = value as? Dependency {
            dependencies = value
        } else {
            for child in children { child.take(value) }
        }
    }
}

extension AnyCoordinator {
    /// Takes services from above; who needs none, or others, hands them on.
    fileprivate func take(_ value: some Sendable) {
        if let needy = self as? any NeedsDependency {
            needy.inherit(value)
        } else {
            for child in children { child.take(value) }
        }
    }

    /// Hands down what the nearest node from here upwards has: a child has just been added.
    func passDependenciesDown() {
        if let needy = self as? any NeedsDependency {
            needy.updateChildCoordinatorDependencies()
        } else {
            parent?.passDependenciesDown()
        }
    }
}
