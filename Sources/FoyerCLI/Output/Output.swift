import Foyer

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
    /// What standard output can show.
    private(set) static var style = Style(of: 1, choice: .auto)
    /// What standard error can show.
    private(set) static var errorStyle = Style(of: 2, choice: .auto)

    static var isTerminal: Bool { style.isTerminal }

    /// Decides about colour as a flag says.
    static func use(_ choice: ColorChoice) {
        style = Style(of: 1, choice: choice)
        errorStyle = Style(of: 2, choice: choice)
    }

    /// Writes a line of data, in which nothing acts on a terminal.
    static func line(_ text: String) {
        exact(PrintableText.escaped(text))
    }

    /// Writes what has to arrive as it is, because a program reads it: JSON, a path, or the program's own help.
    static func exact(_ text: String) {
        Progress.makeRoom()
        write(text + "\n", to: 1)
    }

    /// Writes the one object that a command gives with `--json`.
    static func json(_ members: [String: JSONValue]) {
        exact(text(of: members))
    }

    /// The one object in a line, as `json` writes it.
    static func text(of members: [String: JSONValue]) -> String {
        JSONValue.object(members.merging(["schema": .integer(1)]) { member, _ in member }).line
    }

    /// Writes a line for the person at the terminal.
    static func error(_ text: String) {
        Progress.makeRoom()
        write(printable(text) + "\n", to: 2)
    }

    /// Says how many rows a list leaves out because they cannot be read.
    static func mention(_ damaged: [DamagedRow]) {
        guard !damaged.isEmpty else { return }
        error("\(damaged.count) rows were left out, because they are damaged; `foyer doctor` names them.")
    }

    /// Writes a prompt, without ending the line; nothing is drawn over it until something else is written.
    static func prompt(_ text: String) {
        Progress.makeRoom(staying: true)
        write(printable(text), to: 2)
    }

    /// Writes what draws on the terminal of standard error, as it is.
    nonisolated static func draw(_ text: String) {
        write(text, to: 2)
    }

    /// Writes a table as fits standard output; an empty one is nothing.
    static func table(_ columns: [Table.Column], _ rows: [[Table.Cell]]) {
        Table(columns, rows).lines(style).forEach(exact)
    }

    /// Tells the next command to type.
    static func next(_ text: String) {
        error("Next: \(text)")
    }

    /// A text that a terminal shows and does not act on, but for its line ends.
    static func printable(_ text: String) -> String { PrintableText.escaped(text, keeping: ["\n"]) }

    private nonisolated static func write(_ text: String, to descriptor: Int32) {
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

/// `write(2)`, by a name that no method hides.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension Table.Cell {
    /// What only its owner should read: masked on a terminal, unless that was asked not to be.
    @MainActor
    init(personal text: String?, _ options: Options) {
        self.init(shown: text.map { Output.masked($0, options) } ?? "-", piped: text ?? "-")
    }
}

extension Output {
    /// A personal value as standard output may show it.
    static func masked(_ text: String, _ options: Options) -> String {
        guard isTerminal, !options.show else { return text }
        let masked = Masking.masked(text)
        if style.isUnicode { return masked }
        return masked.split(separator: "…", omittingEmptySubsequences: false).joined(separator: "...")
    }

    /// What stands for a secret.
    static var secret: String { style.ornament("••••••••", "********") }
}
