public import Foyer

/// Many people's flows at once: a host for each that is being worked on, made again from the store when it is needed.
///
/// A host that is let go, or lost with the process, costs nothing: every answer that was taken is in the store.
@FlowActor
public final class FlowSessions {
    private struct Session {
        let host: FlowHost
        var lastUsed: ContinuousClock.Instant
    }

    private let foyer: AccountStore
    private let idleTime: Duration
    private let capacity: Int
    private var sessions: [UUIDv7: Session] = [:]

    /// Serves the flows of a store.
    ///
    /// - Parameters:
    ///   - idleTime: how long a host is kept that nobody uses.
    ///   - capacity: how many hosts are kept at most; the one that was used least lately has to go first.
    public nonisolated init(_ foyer: AccountStore, idleTime: Duration = .seconds(600), capacity: Int = 10_000) {
        self.foyer = foyer
        self.idleTime = idleTime
        self.capacity = capacity
    }

    /// Begins a registration. Nothing is stored before its first answer: until then it is lost with its host.
    public func begin() async throws(StoreError) -> FlowAnswer {
        let environment = foyer.environment, id = environment.makeID()
        let host = try await foyer.host(
            RegisterCoordinator(id: id, definition: foyer.definition(for: .register), environment: environment))
        keep(host, of: id)
        return FlowAnswer(flow: id, status: SavedFlow.Status.open.rawValue, screens: host.screens)
    }

    /// Where a flow stands, after an input where one is given; nil where there is no such flow.
    public func answer(for id: UUIDv7, after input: ScreenInput? = nil) async throws(StoreError) -> FlowAnswer? {
        let isNew = sessions[id] == nil
        let host = try await host(of: id)
        var result: FlowHost.Result?
        if let host, var input {
            if isNew, let screen = host.screen, screen.id == input.screen {
                // A new host counts its revisions anew; what it asks has no answer yet, so this is not a second one.
                input = ScreenInput(
                    screen: screen.id, revision: screen.revision, action: input.action, values: input.values)
            }
            do throws(StoreError) {
                result = try await host.send(input)
            } catch  where error.isConflict {
                // Another process has gone on with the flow: what it has become is shown below.
                result = .stale
            }
        }
        try await host?.reload()
        let status = try await foyer.flows.flow(id)?.status ?? (host == nil ? nil : .open)
        guard let status else { return nil }
        if !status.isUnfinished { sessions[id] = nil }
        return FlowAnswer(
            flow: id, status: status.rawValue, result: result?.word,
            screens: status.isUnfinished ? host?.screens : nil)
    }

    /// The host that runs a flow; nil where the flow has ended, or never was.
    private func host(of id: UUIDv7) async throws(StoreError) -> FlowHost? {
        if sessions[id] == nil, let flow = try await foyer.flows.flow(id) {
            // Somebody else may have made it meanwhile; one that has ended, or is overdue, cannot be resumed.
            if sessions[id] == nil, let host = try? foyer.resume(flow) { keep(host, of: id) }
        }
        sessions[id]?.lastUsed = .now
        return sessions[id]?.host
    }

    private func keep(_ host: FlowHost, of id: UUIDv7) {
        let now = ContinuousClock.now
        sessions = sessions.filter { now - $0.value.lastUsed < idleTime }
        if sessions.count >= capacity, let eldest = sessions.min(by: { $0.value.lastUsed < $1.value.lastUsed }) {
            sessions[eldest.key] = nil
        }
        sessions[id] = Session(host: host, lastUsed: now)
    }
}
