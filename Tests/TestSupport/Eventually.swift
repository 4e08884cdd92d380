/// Waits until something holds, looking often.
/// - Throws: `Failure` when it does not come to hold within the limit; what the condition throws.
public func eventually(
    within limit: Duration = .seconds(20), _ what: String = "it", _ holds: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !holds() {
        guard ContinuousClock.now < end else { throw Failure("\(what) did not come to hold within \(limit)") }
        try await Task.sleep(for: .milliseconds(2))
    }
}
