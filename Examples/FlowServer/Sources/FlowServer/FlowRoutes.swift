import Foyer

/// `POST /flows` begins one, `GET /flows/ID` shows one, `POST /flows/ID/input` goes on with one.
public struct FlowRoutes: Sendable {
    private let sessions: FlowSessions

    /// Gives everybody who knows a flow's id access to that flow.
    public init(_ sessions: FlowSessions) {
        self.sessions = sessions
    }

    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        let path = request.path.split(separator: "/")
        guard path.first == "flows" else { return .problem(404, "There is nothing here.") }
        switch (request.method, path.count) {
        case ("POST", 1): return await begin()
        case ("GET", 2): return await show(String(path[1]))
        case ("POST", 3) where path[2] == "input": return await show(String(path[1]), after: request)
        default: return .problem(404, "There is nothing here.")
        }
    }

    private func begin() async -> HTTPResponse {
        do throws(StoreError) { return .json(try await sessions.begin(), status: 201) } catch { return .problem(error) }
    }

    /// Shows a flow, after the input in a request where one is given.
    public func show(_ id: String, after request: HTTPRequest? = nil) async -> HTTPResponse {
        var input: ScreenInput?
        if let request {
            // A page of somebody else's can send forms and plain text here, but not this type.
            guard request.headers["content-type"] == "application/json" else {
                return .problem(415, "An input is sent as application/json.")
            }
            guard let read = request.body.withUnsafeBufferPointer(ScreenInput.init(json:)) else {
                return .problem(400, "This is no input.")
            }
            input = read
        }
        do throws(StoreError) {
            guard let id = UUIDv7(id), let answer = try await sessions.answer(for: id, after: input) else {
                return .problem(404, "There is no such flow.")
            }
            return .json(answer)
        } catch {
            return .problem(error)
        }
    }
}

extension HTTPResponse {
    public static func problem(_ error: StoreError) -> HTTPResponse {
        .problem(error.isRetryable ? 503 : 500, error.message)
    }
}
