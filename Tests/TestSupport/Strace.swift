import Foundation

/// Lists the system calls of a program in the order in which the kernel saw them.
///
/// It does not kill at a call: `-e inject=…:when=N` counts for each thread alone, so that no N reaches every call of a
/// program with several threads. `KillPoint` counts over all threads.
public enum Strace {
    /// Whether the tool is there and may trace: some containers forbid it.
    public static func isAvailable() async -> Bool {
        let trial = try? await Program("strace", ["-f", "-qq", "-o", "/dev/null", "true"]).run()
        return trial?.exit == .code(0)
    }

    /// Runs a program and gives the lines of strace for the named calls, each starting with the number of its thread.
    ///
    /// A call that another thread interrupts in the list has one line, at its start. The program's end by a signal is
    /// seen as it is: strace ends itself by the same signal.
    public static func calls(
        _ names: [String], of program: Program, input: Program.Input = .bytes([]), within limit: Duration = .seconds(60)
    ) async throws -> (lines: [String], finished: Program.Finished) {
        let folder = try TemporaryFolder()
        let output = folder.appending("strace")
        // -E: the environment is for the program alone; a preloaded library must not see what strace itself does.
        let environment = program.environment.sorted { $0.key < $1.key }.flatMap { ["-E", "\($0.key)=\($0.value)"] }
        let options = ["-f", "-qq", "-y", "-o", output, "-e", "trace=\(names.joined(separator: ","))"]
        let tracer = Program(
            "strace", options + ["-e", "signal=none"] + environment + [program.executable] + program.arguments,
            folder: program.folder)
        let finished = try await tracer.run(input: input, within: limit)
        let text = String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
        let lines = text.split(separator: "\n").filter { !$0.contains(" resumed>") && !$0.contains(" +++ ") }
        return (lines.map { String($0) }, finished)
    }
}
