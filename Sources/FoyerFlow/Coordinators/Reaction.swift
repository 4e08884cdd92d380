public import FoyerModel

/// What has to happen because of an input: the write first, then, if it succeeded, the rest.
public struct Reaction {
    /// What is written in one transaction; nil when only memory changed.
    public var change: FlowChange?
    /// Whether what was entered was refused; the screen says why.
    public var isRefusal: Bool
    /// What the presenter is asked to do outside the program.
    public var request: ExternalRequest?
    /// What is done once the write has succeeded, such as telling the parent.
    public var then: (@FlowActor () -> Void)?

    /// Makes a reaction.
    public init(
        change: FlowChange? = nil, isRefusal: Bool = false, request: ExternalRequest? = nil,
        then: (@FlowActor () -> Void)? = nil
    ) {
        self.change = change
        self.isRefusal = isRefusal
        self.request = request
        self.then = then
    }

    /// The input was taken, and only memory changed.
    public static var taken: Reaction { Reaction() }
}
