/// A whole request, as it was read from a connection.
struct HTTPRequest: Sendable, Equatable {
    struct Header: Sendable, Equatable {
        /// In lower case.
        let name: String
        let value: String
    }

    let method: String
    /// The target as it was written, with its query.
    let target: String
    let headers: [Header]
    var body: [UInt8] = []
    /// Whether the connection may be used for another request.
    let keepsAlive: Bool

    /// All values of the header with that name, which is given in lower case.
    func values(_ name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }
}

/// How much a connection may ask for.
struct HTTPLimits: Sendable, Equatable {
    /// Bytes of the request line and of all headers.
    var head = 16 * 1024
    /// Bytes of the request line.
    var requestLine = 8 * 1024
    var headers = 64
    /// Bytes of a body.
    var body = 64 * 1024
    /// How many connections are served at once.
    var connections = 512
    /// How long a connection may lie without a request.
    var idle = Duration.seconds(30)
    /// How long a request may take from its first byte to its last.
    var request = Duration.seconds(10)
    /// How long the client may leave an answer unread.
    var answer = Duration.seconds(10)
}
