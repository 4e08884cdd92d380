/// Why an activity ended without an output.
public enum CancelReason: String, Codable, Hashable, Sendable {
    /// The person gave it up.
    case user
    /// The person went back beyond its first screen.
    case back
    /// The activity around it ended.
    case parentEnded
    /// It was left alone for too long.
    case expired
    /// Another activity took its place.
    case superseded
    /// What it worked on was erased from the store.
    case erased
}

/// How an activity ended.
public enum Outcome<Output: Sendable>: Sendable {
    /// With an output.
    case finished(Output)
    /// Without one.
    case cancelled(CancelReason)
}

/// A coordinator whose activity ends with an output, or is given up.
@FlowActor
open class Coordinator<Output: Sendable>: AnyCoordinator {
    /// Told once when the activity ends with an output.
    public var didFinish: ((Output) -> Void)?
    /// Told once when the activity ends without one.
    public var didCancel: (() -> Void)?
    /// What the slot that this child came from has to be told.
    var didEnd: ((Outcome<Output>) -> Void)?
    private var outcome: Outcome<Output>?
    private var waiting: [CheckedContinuation<Outcome<Output>, Never>] = []

    /// Whether the activity has had its outcome.
    final var hasEnded: Bool { outcome != nil }

    /// Ends the activity with its output; the first outcome wins, later ones are nothing.
    public final func finish(_ output: Output) {
        conclude(.finished(output)) { didFinish?(output) }
    }

    /// Ends the activity without an output; the first outcome wins, later ones are nothing.
    public final func cancel(_ reason: CancelReason = .user) {
        conclude(.cancelled(reason)) { didCancel?() }
    }

    /// Waits for the outcome; for whoever holds the root, because a waiting task cannot be saved and restored.
    public final func outcome() async -> Outcome<Output> {
        if let outcome { return outcome }
        return await withCheckedContinuation { waiting.append($0) }
    }

    public final override func end(_ reason: CancelReason) {
        cancel(reason)
    }

    /// Children end first, then the parent lets go, then whoever waits is told; nothing is held afterwards.
    private func conclude(_ outcome: Outcome<Output>, _ tell: () -> Void) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        removeAllChildren()
        parent?.removeChild(self)
        tell()
        didEnd?(outcome)
        didFinish = nil
        didCancel = nil
        didEnd = nil
        for continuation in waiting { continuation.resume(returning: outcome) }
        waiting = []
    }
}
