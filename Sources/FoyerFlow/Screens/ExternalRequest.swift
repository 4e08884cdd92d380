/// Something outside the program that a presenter is asked to do, such as opening a web page.
public enum ExternalRequest: Hashable, Sendable {
    /// Open this address.
    case openURL(String)
    /// Begin a mail.
    case composeMail(to: String, subject: String)
}

extension ExternalRequest: Encodable {
    private enum Key: String, CodingKey {
        case kind, url, to, subject
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .openURL(let url):
            try container.encode("openURL", forKey: .kind)
            try container.encode(url, forKey: .url)
        case .composeMail(let to, let subject):
            try container.encode("composeMail", forKey: .kind)
            try container.encode(to, forKey: .to)
            try container.encode(subject, forKey: .subject)
        }
    }
}
