/// Told by long work how much of how much is done; from any thread, and so often that it has to be quick.
public typealias ProgressReport = @Sendable (_ done: Int, _ total: Int) -> Void
