/// A password or another text that must never be seen: printing, reflecting or encoding one shows nothing of it.
public struct Secret: Sendable {
    /// What the bytes are.
    public enum Form: Sendable, Equatable {
        /// A text in UTF-8.
        case text
        /// A box that nobody but the server that has this key can open.
        case sealed(keyID: String)
    }

    private let bytes: [UInt8]
    /// What the bytes are.
    public let form: Form

    /// Wraps UTF-8 bytes, such as a line that was typed with the echo off.
    public init(utf8 bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        form = .text
    }

    /// Wraps a box that was sealed to the server's key of that name.
    public init(box: some Sequence<UInt8>, sealedTo keyID: String) {
        bytes = Array(box)
        form = .sealed(keyID: keyID)
    }

    /// Wraps a text, such as the content of a user interface's password field.
    public init(_ text: String) {
        self.init(utf8: text.utf8)
    }

    /// Lends the bytes to `body`, which must not keep them.
    public func withBytes<Result>(_ body: ([UInt8]) throws -> Result) rethrows -> Result {
        try body(bytes)
    }

    /// Lends the text to `body`, which must not keep it.
    public func withText<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        try body(String(decoding: bytes, as: UTF8.self))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same dots for every secret: not even its length is shown.
    public var description: String { "••••••••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
