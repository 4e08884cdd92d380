import Foyer
import FoyerPlatform
import Synchronization

/// A password that is handed over, instead of being asked for or standing among the answers.
final class GivenPassword: Sendable {
    /// What was read from a file; it goes with whoever takes it, and stays nowhere else.
    private let secret: Mutex<Secret?>
    private let isFirstLine: Bool

    private static let longest = 65_536

    static let inputFlag = Flag(
        name: "--password-stdin", summary: "the first line of standard input is the password, the others are answers"
    ) { options, _ throws(Failure) in
        guard isatty(0) == 0 else {
            throw .usage("The flag --password-stdin is for a pipe; at a terminal the password is asked for, hidden.")
        }
        options.password = GivenPassword(nil)
    }

    static let fileFlag = Flag(
        name: "--password-file", value: .file("PATH"), summary: "the password is the one line of a file for you only"
    ) { options, path throws(Failure) in
        options.password = GivenPassword(try password(inFile: path))
    }

    static let flags = [inputFlag, fileFlag]

    /// Nil stands for the first line of standard input, behind which the answers follow.
    private init(_ secret: Secret?) {
        self.secret = Mutex(secret)
        isFirstLine = if case nil = secret { true } else { false }
    }

    /// Gives it away; nil where it is gone already, or the input has ended.
    @MainActor
    func take(from input: StandardInput) -> Secret? {
        isFirstLine ? input.readLine() : secret.withLock { $0.take() }
    }

    private static func password(inFile path: String) throws(Failure) -> Secret {
        guard let file = try OwnFile(path, forbidding: 0o077, exit: .ioError) else {
            throw Failure(code: "io_error", message: "There is no file \(path).", exit: .ioError)
        }
        let line: Secret? = file.read(upTo: longest).withBytes { bytes in
            let text = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
            guard !text.isEmpty, bytes.count < longest, !text.contains(UInt8(ascii: "\n")) else { return nil }
            var line = SecretBytes(capacity: text.count)
            line.append(text)
            return Secret(line)
        }
        guard let line else {
            throw Failure(
                code: "bad_password_file", message: "\(path) has to hold one line, which is the password.",
                exit: .configuration)
        }
        return line
    }
}
