/// Why a connection cannot be read any further: it is answered, and closed.
struct HTTPRefusal: Error, Sendable, Equatable {
    let status: Int
    /// The last part of the problem's type.
    let type: String
    let detail: String

    static func malformed(_ detail: String) -> Self {
        Self(status: 400, type: "malformed", detail: "This is not a request of HTTP/1.1: \(detail)")
    }

    static let badLine = malformed("every line ends in CR LF")
    static let timeout = Self(status: 408, type: "timeout", detail: "The request did not come in time")
    static let lengthRequired = Self(
        status: 411, type: "length-required",
        detail: "A body needs a Content-Length; parts of unknown length are refused"
    )
    static func bodyTooLong(_ limit: Int) -> Self {
        Self(status: 413, type: "body-too-long", detail: "A body has at most \(limit) bytes")
    }
    static let targetTooLong = Self(status: 414, type: "target-too-long", detail: "The request line is too long")
    static let badExpectation = Self(
        status: 417, type: "bad-expectation", detail: "The only expectation that can be met is 100-continue")
    static let headTooLong = Self(
        status: 431, type: "head-too-long", detail: "There are too many headers, or too long ones")
    static let tooManyConnections = Self(
        status: 503, type: "busy", detail: "There are too many connections; come again later")
    static let badVersion = Self(status: 505, type: "bad-version", detail: "The versions are HTTP/1.1 and HTTP/1.0")
}
