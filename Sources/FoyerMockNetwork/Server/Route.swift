import FoyerModel

/// What a request asks the server for.
enum Route: Sendable {
    case submit(SubmissionRequest)
    case outcome(UUIDv7)
    case cancel(UUIDv7)
    case sealingKey

    /// The submission that it is about.
    var key: UUIDv7? {
        switch self {
        case .submit(let request): request.key
        case .outcome(let key), .cancel(let key): key
        case .sealingKey: nil
        }
    }

    /// Reads the request as `Documentation/openapi.json` describes it.
    /// - Throws: the answer to whatever is not described there.
    init(_ request: HTTPRequest) throws(Refusal) {
        let path = Self.path(of: request.target)
        if path == "/v1/sealing-key" {
            try Self.allow(["GET"], request)
            self = .sealingKey
            return
        }
        guard path.hasPrefix(Self.submissions) else { throw .notFound }
        let name = String(path.dropFirst(Self.submissions.count))
        if let kind = FlowKind(rawValue: name) {
            try Self.allow(["POST"], request)
            self = .submit(try Self.submission(kind, request))
            return
        }
        guard let key = UUIDv7(name), key.time != nil else { throw .notFound }
        try Self.allow(["DELETE", "GET"], request)
        self = request.method == "GET" ? .outcome(key) : .cancel(key)
    }

    private static let submissions = "/v1/submissions/"

    /// An answer that needs no look at the accounts.
    struct Refusal: Error {
        let response: HTTPResponse

        init(_ status: Int, _ type: String, _ detail: String) {
            response = .problem(status, type, detail)
        }

        static let notFound = Refusal(404, "not-found", "There is nothing here")
    }

    /// The path of `/path?query`, or of `http://host/path?query`, which servers have to take, too.
    private static func path(of target: String) -> Substring {
        var rest = target.prefix { $0 != "?" }
        if rest.hasPrefix("http://") {
            rest = rest.dropFirst("http://".count).drop { $0 != "/" }
        }
        return rest
    }

    private static func allow(_ methods: [String], _ request: HTTPRequest) throws(Refusal) {
        guard !methods.contains(request.method) else { return }
        var response = HTTPResponse.problem(
            405, "method-not-allowed", "The methods here: \(methods.joined(separator: ", "))")
        response.headers.append(("Allow", methods.joined(separator: ", ")))
        throw Refusal(response)
    }

    private static func submission(
        _ kind: FlowKind, _ request: HTTPRequest
    ) throws(Refusal) -> SubmissionRequest {
        guard !request.values("content-length").isEmpty else {
            throw Refusal(411, "length-required", "A submission needs a Content-Length")
        }
        let types = request.values("content-type")
        guard types.count == 1, isJSON(types[0]) else {
            throw Refusal(415, "media-type", "A submission is application/json in UTF-8")
        }
        return SubmissionRequest(key: try key(of: request), kind: kind, body: Secret(utf8: request.body))
    }

    private static func isJSON(_ type: String) -> Bool {
        let parts = type.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        return parts.first == "application/json"
            && parts.dropFirst().allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
    }

    /// The key, a string of RFC 9651: between double quotes.
    private static func key(of request: HTTPRequest) throws(Refusal) -> UUIDv7 {
        let values = request.values("idempotency-key")
        guard let value = values.first, values.count == 1 else {
            throw Refusal(400, "idempotency-key", "A submission needs one header Idempotency-Key")
        }
        guard value.count == 38, value.hasPrefix("\""), value.hasSuffix("\""),
            let key = UUIDv7(String(value.dropFirst().dropLast())), key.time != nil
        else {
            throw Refusal(
                400, "idempotency-key", "Idempotency-Key is a UUID of version 7 in lower case, between double quotes")
        }
        return key
    }
}

extension Route.Refusal {
    fileprivate init(_ response: HTTPResponse) {
        self.response = response
    }
}
