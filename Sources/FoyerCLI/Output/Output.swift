#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Data goes to standard output; prompts, progress and errors go to standard error.
@MainActor
enum Output {
    static var isTerminal: Bool { isatty(1) == 1 }
    static var isErrorTerminal: Bool { isatty(2) == 1 }

    /// Writes a line of data.
    static func line(_ text: String) {
        write(text + "\n", to: 1)
    }

    /// Writes the one object that a command gives with `--json`.
    static func json(_ members: [String: JSONValue]) {
        line(JSONValue.object(members.merging(["schema": .integer(1)]) { member, _ in member }).line)
    }

    /// Writes a line for the person at the terminal.
    static func error(_ text: String) {
        write(printable(text) + "\n", to: 2)
    }

    /// Writes a prompt, without ending the line.
    static func prompt(_ text: String) {
        write(printable(text), to: 2)
    }

    /// Writes rows as columns; an empty table is nothing.
    static func table(_ header: [String], _ rows: [[String]]) {
        guard !rows.isEmpty else { return }
        guard isTerminal else { return rows.forEach { line($0.map(cell).joined(separator: "\t")) } }
        let cells = [header] + rows.map { $0.map(cell) }
        let widths = header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        for row in cells {
            let padded = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            line(padded.joined(separator: "  ").trimmingSpaces())
        }
    }

    /// A text that cannot be taken for the next row either.
    private static func cell(_ text: String) -> String {
        printable(text).split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\u{A}")
    }

    /// A text without anything that a terminal would act on: controls and marks that turn the writing direction.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    switch scalar.properties.generalCategory {
                    case .control where scalar != "\n", .format where scalar.isBidiControl, .lineSeparator,
                        .paragraphSeparator:
                        Array("\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
                    default: [scalar]
                    }
                }))
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EIO, isDevice(descriptor) { SignalGuard.endByHangUp() }
                // Nobody can be told where standard output or standard error is gone.
                exit(ExitCode.ioError.rawValue)
            }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// A terminal is one, also after it was closed.
private func isDevice(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension Unicode.Scalar {
    fileprivate var isBidiControl: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
            || [0x200E, 0x200F, 0x61C].contains(value)
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}
