import Foundation

/// A request, read whole.
public struct HTTPRequest: Sendable {
    public let method: String
    public let path: String
    /// By their names in lower case.
    public let headers: [String: String]
    public let body: [UInt8]

    static let longestHead = 8 * 1024
    static let longestBody = 64 * 1024

    /// Reads a request from a connection; a client that breaks the rules is answered with what is thrown.
    init(from connection: borrowing HTTPConnection) throws(HTTPResponse) {
        let end = Array("\r\n\r\n".utf8)
        var bytes: [UInt8] = []
        var headEnd: Int?
        while headEnd == nil {
            guard bytes.count <= Self.longestHead else { throw .problem(431, "The head is too long.") }
            guard let part = connection.read() else { throw .problem(400, "The head ends too early.") }
            let start = max(0, bytes.count - end.count)
            bytes += part
            headEnd = bytes[start...].firstRange(of: end)?.lowerBound
        }
        let head = String(decoding: bytes[..<(headEnd ?? 0)], as: UTF8.self).components(separatedBy: "\r\n")
        let words = head[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else {
            throw .problem(400, "This is no HTTP/1.1.")
        }
        var headers: [String: String] = [:]
        for line in head.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .problem(400, "A header has no colon.") }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            // Two lengths would mean two ends of one body.
            guard headers.updateValue(value, forKey: line[..<colon].lowercased()) == nil else {
                throw .problem(400, "A header comes twice.")
            }
        }
        // A page whose name somebody has pointed at this machine must not reach what is meant for the machine itself.
        guard let host = headers["host"]?.prefix(while: { $0 != ":" }), host == "127.0.0.1" || host == "localhost"
        else {
            throw .problem(421, "This server is for its own machine.")
        }
        guard headers["transfer-encoding"] == nil else { throw .problem(411, "A length is needed.") }
        guard let length = Int(headers["content-length"] ?? "0"), length >= 0 else {
            throw .problem(400, "The length is no number.")
        }
        guard length <= Self.longestBody else { throw .problem(413, "The body is too long.") }
        var body = Array(bytes[((headEnd ?? 0) + end.count)...])
        while body.count < length {
            guard let part = connection.read() else { throw .problem(400, "The body ends too early.") }
            body += part
        }
        guard body.count == length else { throw .problem(400, "Something follows the body.") }
        self.method = String(words[0])
        self.path = String(words[1].prefix { $0 != "?" })
        self.headers = headers
        self.body = body
    }
}

/// An answer to a request; the connection is closed after it.
public struct HTTPResponse: Error, Sendable {
    public var status: Int
    public var headers: [String: String]
    public var body: [UInt8]

    /// Makes an answer; nobody keeps a copy of it.
    public init(_ status: Int, type: String, headers: [String: String] = [:], body: [UInt8]) {
        let usual = [
            "Content-Type": type, "Content-Length": "\(body.count)", "Connection": "close", "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        ]
        self.status = status
        self.headers = usual.merging(headers) { _, own in own }
        self.body = body
    }

    public static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return HTTPResponse(500, type: "text/plain", body: []) }
        return HTTPResponse(status, type: "application/json", body: Array(data))
    }

    public static func problem(_ status: Int, _ message: String) -> HTTPResponse {
        json(["error": message], status: status)
    }

    var bytes: [UInt8] {
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
        return Array("HTTP/1.1 \(status) \r\n\(lines.joined())\r\n".utf8) + body
    }
}
