import Foyer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads lines from standard input without ever making a `String` of them.
@MainActor
final class StandardInput {
    /// Longer lines are cut here: no answer may be nearly that long, so its rule refuses what is left.
    private static let longestLine = 65_536
    private var buffer: [UInt8] = []
    private(set) var hasEnded = false

    static var isTerminal: Bool { isatty(0) == 1 }

    /// The next line without its end; nil after the last one.
    func readLine() -> Secret? {
        var line: [UInt8] = []
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                append(buffer[..<end], to: &line)
                buffer.removeFirst(end + 1)
                break
            }
            append(buffer[...], to: &line)
            let sawText = !buffer.isEmpty || !line.isEmpty
            buffer.removeAll()
            guard fill() else {
                guard sawText else { return nil }
                break
            }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return Secret(utf8: line)
    }

    private func append(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line += bytes.prefix(max(0, Self.longestLine - line.count))
    }

    /// Reads what is there; false at the end, also when the terminal is gone.
    private func fill() -> Bool {
        guard !hasEnded else { return false }
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(0, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                hasEnded = true
                return false
            }
            buffer += chunk.prefix(count)
            return true
        }
    }
}
