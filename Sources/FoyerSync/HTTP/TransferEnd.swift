import FoyerModel

/// How a transfer ended that brought no whole answer.
enum TransferEnd: Sendable, Equatable {
    /// By an error of libcurl: its code, and OpenSSL's result of the check of the certificate.
    case error(code: Int32, certificate: Int)
    /// It could not begin, for this reason.
    case notBegun(String)
    /// Whoever wanted the answer does not any more.
    case cancelled
    /// The answer did not begin in time.
    case silence
    /// An answer to nothing lay in the connection, so the request was not sent on it.
    case unreadAnswer
    /// The head or the body had more bytes than any answer has.
    case tooLong
    /// Two readers could find two different answers in what came.
    case ambiguous
    /// The connection was closed before the head was whole.
    case cutHead

    /// What may be said about the submission: the one table of it.
    ///
    /// - Parameters:
    ///   - mayHaveLeft: whether a connection stood and the request came next. Until then, not one byte of it has left.
    ///   - server: who was asked, for people.
    func failure(mayHaveLeft: Bool, server: String) -> NetworkFailure {
        let reason = "\(server): \(reason)"
        if !mayHaveLeft { return isDistrust ? .untrusted(reason) : .unreachable(reason) }
        return isNonsense ? .malformed(reason) : .interrupted(reason)
    }

    /// Whether the server failed to prove who it is.
    private var isDistrust: Bool {
        if case .error(let code, _) = self { Self.distrust.contains(code) } else { false }
    }

    /// Whether something came that cannot be an answer.
    private var isNonsense: Bool {
        switch self {
        case .tooLong, .ambiguous, .cutHead: true
        case .error(let code, _): Self.nonsense.contains(code)
        default: false
        }
    }

    /// libcurl's codes for certificates: the client's own, the server's, the file of authorities, lists of those that
    /// were called back, the issuer, a pinned key, and the server's proof that its own was not called back.
    private static let distrust: Set<Int32> = [58, 60, 77, 82, 83, 90, 91]

    /// libcurl's codes for: not HTTP, no sensible head, a body that is cut off, not taken, wrongly coded, or too long.
    private static let nonsense: Set<Int32> = [1, 8, 18, 23, 61, 63, 100]

    private var reason: String {
        switch self {
        case .notBegun(let reason): reason
        case .cancelled: "the request was given up"
        case .silence, .error(28, _): "it took too long"
        case .unreadAnswer: "it answers what nobody asked"
        case .tooLong: "the answer is too long"
        case .ambiguous: "the answer can be read in more than one way"
        case .cutHead, .error(18, _): "the answer was cut off"
        case .error(60, let certificate): Self.reason(certificate: certificate)
        case .error(let code, _): Self.reasons[code] ?? "the transfer failed (libcurl's code \(code))"
        }
    }

    private static let reasons: [Int32: String] = [
        1: "the answer is not HTTP", 5: "the name of the proxy is not known", 6: "its name is not known",
        7: "nothing answers there", 8: "the answer makes no sense", 35: "no encrypted connection came about",
        52: "it closed the connection without an answer", 55: "the connection broke", 56: "the connection broke",
        77: "the file with certificate authorities cannot be read",
    ]

    /// OpenSSL's results: expired, not yet valid; nothing wrong, or 1 where libcurl has looked no further than the name.
    private static func reason(certificate: Int) -> String {
        switch certificate {
        case 0, 1: "its certificate is for another name"
        case 9, 10: "its certificate is not valid today"
        default: "its certificate comes from an authority that is not trusted"
        }
    }
}
