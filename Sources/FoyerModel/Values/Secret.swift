/// A password or another text that must never be seen: printing, reflecting or encoding one shows nothing of it.
public struct Secret: Sendable {
    private let bytes: [UInt8]

    /// Wraps UTF-8 bytes, such as a line that was typed with the echo off.
    public init(utf8 bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Wraps a text, such as the content of a user interface's password field.
    public init(_ text: String) {
        self.init(utf8: text.utf8)
    }

    /// Lends the UTF-8 bytes to `body`, which must not keep them.
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
