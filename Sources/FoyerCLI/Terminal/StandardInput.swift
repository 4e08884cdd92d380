import Foyer
import FoyerPlatform

/// Reads lines from standard input into memory that is overwritten afterwards; no `String` and no array sees them.
@MainActor
final class StandardInput {
    /// Longer lines are cut here: no answer may be nearly that long, so its rule refuses what is left.
    private static let longestLine = 65_536
    private static let chunk = 4_096
    /// What was read and belongs to later lines.
    private var buffer = SecretBytes(capacity: 0)
    private(set) var hasEnded = false

    static var isTerminal: Bool { isatty(0) == 1 }

    /// Whether there is something that was read and not taken.
    var hasMore: Bool { buffer.count > 0 }

    /// The next byte of what was read; nil where there is none.
    func takeByte() -> UInt8? {
        let first = buffer.withBytes(\.first)
        buffer.removeFirst(1)
        return first
    }

    /// Forgets what was read and not taken.
    func forget() {
        buffer = SecretBytes(capacity: 0)
    }

    /// Nothing will be read any more, because whoever types says so.
    func end() {
        hasEnded = true
    }

    /// What has happened while nothing was there to take.
    enum Arrival { case bytes, signal(Int32), nothing, end }

    /// Waits so many milliseconds, or for ever with -1, for something to read or a signal that wakes.
    func wait(upTo milliseconds: Int32) -> Arrival {
        while true {
            if let number = SelfPipe.next() { return .signal(number) }
            var polled = [
                pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
                pollfd(fd: SelfPipe.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&polled, 2, milliseconds)
            if count < 0, errno != EINTR { return .end }
            if count == 0 { return .nothing }
            if count > 0, polled[0].revents != 0 { return fill() ? .bytes : .end }
        }
    }

    /// The next line without its end; nil after the last one.
    func readLine() -> Secret? {
        var line = SecretBytes(capacity: 256)
        while !moveText(to: &line) {
            if fill() { continue }
            guard line.count > 0 else { return nil }
            break
        }
        if line.withBytes(\.last) == UInt8(ascii: "\r") { line.removeLast() }
        return Secret(line)
    }

    /// Moves what is there of the line from the buffer; whether that was all of it.
    private func moveText(to line: inout SecretBytes) -> Bool {
        let (end, size) = buffer.withBytes { bytes in
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
            line.append(bytes.prefix(min(end ?? bytes.count, max(0, Self.longestLine - line.count))))
            return (end, bytes.count)
        }
        buffer.removeFirst(end.map { $0 + 1 } ?? size)
        return end != nil
    }

    /// Reads what is there into the empty buffer; false at the end, also when the terminal is gone.
    private func fill() -> Bool {
        guard !hasEnded else { return false }
        buffer = SecretBytes(zeros: Self.chunk) { memory in
            while true {
                let count = read(0, memory.baseAddress, memory.count)
                if count < 0, errno == EINTR { continue }
                return count
            }
        }
        hasEnded = buffer.count == 0
        return !hasEnded
    }
}
