import Foyer
import FoyerPlatform

/// Data goes to standard output; prompts, progress and errors go to standard error.
@MainActor
enum Output {
    /// What standard output can show.
    private(set) static var style = Style(of: 1, choice: .auto)
    /// What standard error can show.
    private(set) static var errorStyle = Style(of: 2, choice: .auto)

    static var isTerminal: Bool { style.isTerminal }

    /// Why standard output takes nothing any more; nil while it does. What goes on for long looks here and ends.
    private(set) static var failure: Failure?

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
        guard failure == nil, let error = write(text + "\n", to: 1) else { return }
        failure = Failure(
            code: "io_error", message: "Standard output cannot be written: \(String(cString: strerror(error))).",
            exit: .ioError)
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
        draw(printable(text) + "\n")
    }

    /// Says how many rows a list leaves out because they cannot be read.
    static func mention(_ damaged: [DamagedRow]) {
        guard !damaged.isEmpty else { return }
        error("\(damaged.count) rows were left out, because they are damaged; `foyer doctor` names them.")
    }

    /// Writes a prompt, without ending the line; nothing is drawn over it until something else is written.
    static func prompt(_ text: String) {
        Progress.makeRoom(staying: true)
        draw(printable(text))
    }

    /// Writes to standard error as it is, such as what draws on a terminal.
    ///
    /// Where that is gone nobody can be told, and what was asked for is done all the same: the exit code still tells.
    nonisolated static func draw(_ text: String) {
        _ = write(text, to: 2)
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

    /// - Returns: why not all of it could be written; nil where it was.
    private nonisolated static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                let error = errno
                if error == EAGAIN {
                    // Another program has made the same pipe or terminal non-blocking.
                    var full = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&full, 1, -1)
                    continue
                }
                if error == EIO, isDevice(descriptor) { SignalGuard.endByHangUp() }
                return error
            }
            bytes = bytes.dropFirst(count)
        }
        return nil
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
