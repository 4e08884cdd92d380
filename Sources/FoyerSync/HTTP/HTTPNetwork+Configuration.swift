extension HTTPNetwork {
    /// Where the account server is, and how long it may take.
    public struct Configuration: Sendable {
        let address: ServerAddress
        /// A file in PEM format with the certificate authorities to trust instead of the system's.
        public let caFile: String?
        /// How long the server may take.
        public let timeouts: Timeouts

        /// The name of the network, which submissions are bound to: the address as it is used.
        public var endpoint: String { address.text }

        /// Checks the address; nothing is opened yet.
        ///
        /// - Parameters:
        ///   - url: `https://host[:port][/path]`; `http://` only for this machine itself, as what is sent are passwords.
        ///   - caFile: a file in PEM format with the certificate authorities to trust instead of the system's.
        ///   - timeouts: how long the server may take.
        public init(
            url: String, caFile: String? = nil, timeouts: Timeouts = Timeouts()
        ) throws(ConfigurationError) {
            address = try ServerAddress(url)
            self.caFile = caFile
            self.timeouts = timeouts
        }
    }

    /// How long a request may take, each from its beginning.
    public struct Timeouts: Sendable {
        /// Until the connection stands, with its encryption.
        public var connect: Duration
        /// Until the first line of the answer is there.
        public var firstByte: Duration
        /// Until the answer is whole; less than the outbox lends a submission for.
        public var total: Duration

        /// Makes the value.
        public init(
            connect: Duration = .seconds(5), firstByte: Duration = .seconds(15), total: Duration = .seconds(30)
        ) {
            self.connect = connect
            self.firstByte = firstByte
            self.total = total
        }
    }

    /// Why an address cannot be used.
    public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
        /// What went wrong; stable, for programs.
        public struct Code: RawRepresentable, Sendable, Hashable {
            public let rawValue: String

            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The address is not `https://host[:port][/path]`.
            public static let malformedURL = Code(rawValue: "malformed_url")
            /// Nothing would be encrypted on the way to another machine.
            public static let unencrypted = Code(rawValue: "unencrypted")
        }

        /// What went wrong.
        public let code: Code
        /// The same for people, with what to do.
        public let message: String

        public var description: String { message }

        static func malformed(_ reason: String) -> Self {
            Self(code: .malformedURL, message: "This is no address of an account server: \(reason).")
        }

        static func unencrypted(_ host: String) -> Self {
            Self(
                code: .unencrypted,
                message: "A password would be readable on its way to \(host): please use https:// there.")
        }
    }
}
