/// Where an account server is: scheme, host, port and a path before `/v1`, and nothing else.
///
/// It is read strictly: whatever two parsers could understand differently is refused.
struct ServerAddress: Equatable {
    /// Scheme, host and port, such as `https://accounts.example.org`; a usual port is left out.
    let origin: String
    /// Empty, or beginning with a slash and ending without one.
    let path: String
    /// Host and port, for people.
    let name: String
    /// Whether nothing is encrypted on the way.
    let isPlain: Bool
    /// Whether the host is this machine, by its very name.
    let isLoopback: Bool

    init(_ text: String) throws(HTTPNetwork.ConfigurationError) {
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0) }) else {
            throw .malformed("it begins with neither https:// nor http://")
        }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(authority.count)
        guard let (host, port) = Self.hostAndPort(authority.lowercased()) else {
            throw .malformed("it needs a host, maybe with a port, and no user name")
        }
        guard path.utf8.allSatisfy({ $0.isLetterOrDigit || "-._~%/".utf8.contains($0) }), !path.contains("//") else {
            throw .malformed("its path may have letters, digits and any of -._~%/ alone")
        }
        isPlain = scheme == "http://"
        isLoopback = Self.isLoopback(host)
        let usualPort = isPlain ? 80 : 443
        name = if let port, port != usualPort { "\(host):\(port)" } else { host }
        origin = scheme + name
        self.path = String(path.hasSuffix("/") ? path.dropLast() : path)
        guard !isPlain || isLoopback else { throw .unencrypted(name) }
    }

    /// All of it, as it is used.
    var text: String { origin + path }

    /// Where a redirection leads: an address at the same origin, or nil if it leads anywhere else.
    func target(of location: String) -> String? {
        guard location.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else { return nil }
        if location.hasPrefix("/"), !location.hasPrefix("//") { return origin + location }
        guard location.lowercased().hasPrefix(origin + "/") else { return nil }
        return origin + location.dropFirst(origin.count)
    }

    private static func hostAndPort(_ authority: String) -> (host: String, port: Int?)? {
        guard authority.hasPrefix("["), let end = authority.firstIndex(of: "]") else {
            return plainHostAndPort(authority)
        }
        let host = String(authority[...end])
        let digits = host.dropFirst().dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0.isHexDigit || ":.".utf8.contains($0) }) else { return nil }
        let rest = authority[end...].dropFirst()
        guard !rest.isEmpty else { return (host, nil) }
        guard rest.hasPrefix(":"), let port = port(rest.dropFirst()) else { return nil }
        return (host, port)
    }

    private static func plainHostAndPort(_ authority: String) -> (host: String, port: Int?)? {
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2,
            host.utf8.allSatisfy({ $0.isLetterOrDigit || "-.".utf8.contains($0) })
        else { return nil }
        guard parts.count == 2 else { return (String(host), nil) }
        return port(parts[1]).map { (String(host), $0) }
    }

    private static func port(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text) else { return nil }
        return (1...65535).contains(port) ? port : nil
    }

    /// `localhost`, `[::1]`, or 127.x.x.x as everybody reads it: a leading zero would mean octal to some.
    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "[::1]"].contains(host) { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { text in UInt8(text).map { "\($0)" == text } ?? false }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { "0123456789abcdef".utf8.contains(self) }

    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
