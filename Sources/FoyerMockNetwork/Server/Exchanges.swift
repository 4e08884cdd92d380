import FoyerModel
import Synchronization

/// Reads requests from connections, and answers each as the rules and the faults say.
final class Exchanges: Sendable {
    private let accounts: AccountServer
    private let faults: FaultPlan
    private let limits: HTTPLimits
    private let state = Mutex(State())

    private struct State {
        /// How many requests have come.
        var count = 0
        /// The submissions that are being worked on.
        var keys: Set<UUIDv7> = []
    }

    init(accounts: AccountServer, faults: FaultPlan, limits: HTTPLimits) {
        self.accounts = accounts
        self.faults = faults
        self.limits = limits
    }

    var now: Timestamp { accounts.environment.now() }

    /// Serves a connection until it ends.
    func serve(_ connection: HTTPConnection) {
        var parser = RequestParser(limits: limits)
        var deadline = ContinuousClock.now + limits.idle
        while true {
            switch parser.next() {
            case .request(let request):
                guard answer(request, on: connection) else { return }
                deadline = .now + (parser.isInsideRequest ? limits.request : limits.idle)
            case .refused(let refusal):
                return refuse(refusal, on: connection)
            case .expectsContinue:
                guard connection.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return }
            case .needsMore:
                let wasInside = parser.isInsideRequest
                switch connection.read(until: deadline) {
                case .end: return
                // A connection that lies idle is closed without a word; its client may be about to use it.
                case .timeout: return wasInside ? refuse(.timeout, on: connection) : ()
                case .bytes(let bytes):
                    parser.feed(bytes)
                    if !wasInside { deadline = .now + limits.request }
                }
            }
        }
    }

    private func refuse(_ refusal: HTTPRefusal, on connection: HTTPConnection) {
        connection.write(HTTPResponse.problem(refusal).bytes(at: now, closing: true))
        connection.finish()
    }

    /// Whether the connection can be used on.
    private func answer(_ request: HTTPRequest, on connection: HTTPConnection) -> Bool {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let route: Route
        do { route = try Route(request) } catch {
            return send(error.response, to: request, on: connection)
        }
        guard begin(route) else {
            let wait = HTTPResponse.problem(
                409, "in-progress", "The submission with this key is being worked on", retryAfter: "1")
            return send(wait, to: request, on: connection)
        }
        guard let fault = faults.action(for: number) else {
            let response = response(to: route)
            // Before the answer is written: whoever has it may send the same key again at once.
            end(route)
            return send(response, to: request, on: connection)
        }
        defer { end(route) }
        return misbehave(fault, route, request, on: connection)
    }

    /// Writes an answer; whether the connection can be used on.
    func send(_ response: HTTPResponse, to request: HTTPRequest, on connection: HTTPConnection) -> Bool {
        let isHead = request.method == "HEAD"
        guard connection.write(response.bytes(at: now, toHead: isHead, closing: !request.keepsAlive)) else {
            return false
        }
        if !request.keepsAlive { connection.finish() }
        return request.keepsAlive
    }

    /// Takes a submission's key; false while somebody else works on it.
    private func begin(_ route: Route) -> Bool {
        guard let key = route.key else { return true }
        return state.withLock { state in
            guard !state.keys.contains(key) else { return false }
            if case .submit = route { state.keys.insert(key) }
            return true
        }
    }

    private func end(_ route: Route) {
        guard case .submit(let request) = route else { return }
        state.withLock { _ = $0.keys.remove(request.key) }
    }

    /// Asks the account server, with all effects that this has; waits, so it is for a connection's own thread.
    func response(to route: Route) -> HTTPResponse {
        if case .sealingKey = route { return .sealingKey(accounts.sealingKey) }
        let reply = OwnThread.wait { [accounts] () async -> NetworkReply? in
            switch route {
            case .submit(let request): try? await accounts.answer(request)
            case .outcome(let key): try? await accounts.outcome(of: key)
            case .cancel(let key): try? await accounts.cancel(key)
            case .sealingKey: nil
            }
        }
        // Whether the effect took place is unknown, as with any server that fails; its answer is not stored.
        return reply.map { HTTPResponse($0) } ?? .problem(500, "failed", "The server's file failed")
    }
}

extension HTTPResponse {
    fileprivate static func sealingKey(_ key: SealingKeyPair) -> HTTPResponse {
        let members = [
            #""algorithm":"crypto_box_seal""#, #""aud":"\#(SealingKeyPair.audience)""#, #""key_id":"\#(key.id)""#,
            #""public_key":"\#(Base64.text(key.publicKey))""#, #""schema":1"#,
        ]
        return HTTPResponse(
            status: 200, "application/json", body: Array("{\(members.joined(separator: ","))}".utf8))
    }
}
