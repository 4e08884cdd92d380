/// Where a link leads: found as a whole, and not gone to yet.
@FlowActor
public struct Destination {
    /// What has to happen first, for people, such as a sign-in; nil where going there shows the place itself.
    public var waitsFor: String?
    private var steps: [() -> Void]

    /// Makes a destination from what going there takes.
    public init(waitsFor: String? = nil, _ go: @escaping @FlowActor () -> Void = {}) {
        self.waitsFor = waitsFor
        steps = [go]
    }

    /// Adds what has to be done around the place before it is gone to.
    public mutating func before(_ step: @escaping @FlowActor () -> Void) {
        steps.insert(step, at: 0)
    }

    /// Goes there, in memory.
    public func go() {
        for step in steps { step() }
    }
}
