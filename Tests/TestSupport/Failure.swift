import Glibc

/// Why a helper of the tests could not do what it was asked to; shown as it is when a test fails.
public struct Failure: Error, CustomStringConvertible {
    /// What went wrong, and what was seen until then.
    public let description: String

    /// A failure told in words.
    public init(_ description: String) {
        self.description = description
    }

    /// A failed system call: its name and what `errno` says.
    init(call: String, error: Int32 = errno) {
        self.init("\(call): \(String(cString: strerror(error)))")
    }
}
