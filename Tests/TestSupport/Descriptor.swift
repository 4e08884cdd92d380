import CPseudoTerminal
import Glibc

/// A file descriptor that is closed with its owner.
///
/// A closed one has the number -1, which `poll` skips. It belongs to one thread at a time.
final class Descriptor {
    private(set) var number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close()
    }

    var isOpen: Bool { number >= 0 }

    func close() {
        if isOpen { _ = Glibc.close(number) }
        number = -1
    }

    /// Makes reads and writes return at once instead of waiting.
    func doNotBlock() throws {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0 else { throw Failure(call: "fcntl") }
    }

    /// A pipe that no other program inherits.
    static func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard cpt_pipe(&ends) == 0 else { throw Failure(call: "pipe") }
        return (Descriptor(ends[0]), Descriptor(ends[1]))
    }

    /// Takes what can be read now; closes itself at the end of the data, or when the other side is gone.
    func readAvailable(into bytes: inout [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(number, &buffer, buffer.count)
        if count > 0 {
            bytes += buffer[..<count]
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            close()
        }
    }

    /// Writes what fits now and returns what is left; closes itself when nobody reads any more.
    func writeAvailable(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let count = bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
        if count >= 0 { return bytes.dropFirst(count) }
        if errno != EAGAIN && errno != EINTR { close() }
        return bytes
    }
}
