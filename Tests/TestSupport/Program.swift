import Glibc

/// A program to run: what, with which arguments, in which environment.
public struct Program: Sendable {
    /// A path, or a name that is looked up in PATH.
    public var executable: String
    /// What follows the name of the program on its command line.
    public var arguments: [String]
    /// All that the program finds in its environment, except PATH, which is that of the tests if it is not given
    /// here, and what a build for coverage or a sanitizer needs.
    public var environment: [String: String]
    /// The folder in which it starts; nil for that of the tests.
    public var folder: String?

    /// Describes a program; nothing runs yet.
    public init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], folder: String? = nil
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
    }

    /// The same program with more in its environment.
    public func adding(_ more: [String: String]) -> Program {
        var program = self
        program.environment.merge(more) { _, new in new }
        return program
    }

    /// What a program finds on its standard input.
    public enum Input: Sendable {
        /// These bytes, then the end of the file.
        case bytes([UInt8])
        /// Nothing at all: descriptor 0 is not open.
        case closed

        /// This text, then the end of the file.
        public static func text(_ text: String) -> Input { .bytes(Array(text.utf8)) }
    }

    /// What a program left behind.
    public struct Finished: Sendable {
        /// How it ended.
        public let exit: Exit
        /// All it wrote to its standard output.
        public let stdout: String
        /// All it wrote to its standard error.
        public let stderr: String
    }

    /// Runs the program on pipes, without a terminal, until it ends.
    ///
    /// After `limit` it is killed together with its process group, and the failure tells what it wrote until then.
    public func run(input: Input = .bytes([]), within limit: Duration = .seconds(30)) async throws -> Finished {
        try await onOwnThread { try PipedRun(self, input: input).finish(within: limit) }
    }

    var completeEnvironment: [String: String] {
        var always = ["PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"]
        // Where a build counts the lines that it runs, it says so there, and not in the folder that a test looks into.
        always["LLVM_PROFILE_FILE"] = getenv("LLVM_PROFILE_FILE").map { String(cString: $0) }
        // A program that ends by `exit` frees nothing, which is no leak; and strace leaves no room to look for one.
        if isSanitized { always["ASAN_OPTIONS"] = "detect_leaks=0" }
        return environment.merging(always) { given, _ in given }
    }

    var commandLine: String { ([executable] + arguments).joined(separator: " ") }
}
