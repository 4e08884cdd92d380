import Synchronization

/// A password or another text that must never be seen: printing, reflecting or encoding one shows nothing of it.
///
/// Copies share one ``SecretBytes``, which can be read only while it is lent, and is overwritten with the last copy.
public struct Secret: Sendable {
    /// What the bytes are.
    public enum Form: Sendable, Equatable {
        /// A text in UTF-8.
        case text
        /// A box that nobody but the server that has this key can open.
        case sealed(keyID: String)
    }

    private let shared: Shared
    /// What the bytes are.
    public let form: Form

    /// Takes over the bytes of a text in UTF-8, such as a line that was typed with the echo off.
    public init(_ bytes: consuming SecretBytes) {
        shared = Shared(bytes)
        form = .text
    }

    /// Copies UTF-8 bytes.
    public init(utf8 bytes: some Sequence<UInt8>) {
        var copy = SecretBytes(capacity: bytes.underestimatedCount)
        copy.append(bytes)
        self.init(copy)
    }

    /// Wraps a box that was sealed to the server's key of that name.
    public init(box: some Sequence<UInt8>, sealedTo keyID: String) {
        var copy = SecretBytes(capacity: box.underestimatedCount)
        copy.append(box)
        shared = Shared(copy)
        form = .sealed(keyID: keyID)
    }

    /// Copies a text, such as the content of a user interface's password field, which nobody can overwrite.
    public init(_ text: String) {
        self.init(utf8: text.utf8)
    }

    /// Lends the bytes to `body`, which must not keep them.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try shared.withBytes(body)
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { withBytes(\.isEmpty) }

    /// Whether it is this text, byte for byte.
    public func isText(_ text: String) -> Bool {
        withBytes { $0.elementsEqual(text.utf8) }
    }

    /// Whether the other one has the same bytes.
    func hasBytes(of other: Secret) -> Bool {
        withBytes { bytes in other.withBytes { bytes.elementsEqual($0) } }
    }

    /// The bytes of all copies, and how many are reading them.
    private final class Shared: Sendable {
        private let bytes: SecretBytes
        private let readers = Mutex(0)

        init(_ bytes: consuming SecretBytes) {
            self.bytes = bytes
            self.bytes.forbidAccess()
        }

        func withBytes<Result, Failure: Error>(
            _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            readers.withLock { readers in
                if readers == 0 { bytes.allowReading() }
                readers += 1
            }
            defer {
                readers.withLock { readers in
                    readers -= 1
                    if readers == 0 { bytes.forbidAccess() }
                }
            }
            return try bytes.withBytes(body)
        }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same dots for every secret: not even its length is shown.
    public var description: String { "••••••••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension String {
    /// Copies what is held as a secret and need not be one, such as the answer of a readable step: nobody can overwrite
    /// the copy.
    public init(revealing secret: Secret) {
        self = secret.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}
