/// What one run of the sync service did.
public struct SyncReport: Sendable, Equatable {
    /// How many submissions the network accepted in this run.
    public internal(set) var accepted = 0
    /// How many it refused in this run; their flows are open again.
    public internal(set) var rejected = 0
    /// How many were taken back in this run.
    public internal(set) var cancelled = 0
    /// How many wait for a verdict after this run, at any endpoint.
    public internal(set) var waiting = 0
    /// How many of them wait for which other endpoint: this run left them alone.
    public internal(set) var elsewhere: [String: Int] = [:]
    /// How many sendings were tried.
    public internal(set) var attempts = 0
    /// How many of them got an answer, whatever it said.
    public internal(set) var answers = 0
    /// How many answers were none that the contract knows: from a broken network, or from somebody else in its place.
    public internal(set) var breaches = 0

    /// Whether something was sent but no answer ever came.
    public var neverReached: Bool { attempts > 0 && answers == 0 }

    /// How many submissions came to their end in this run.
    var verdicts: Int { accepted + rejected + cancelled }

    /// The report of a run that sent nothing.
    public init(waiting: Int = 0, elsewhere: [String: Int] = [:]) {
        self.waiting = waiting
        self.elsewhere = elsewhere
    }
}
