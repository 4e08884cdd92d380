import Foundation

/// A C library that is preloaded into a program under test, compiled once for each run of the tests.
///
/// It cannot be a target that the tests link: its functions would then take the place of theirs. As a product of the
/// package it would be offered to everyone who depends on the package.
struct PreloadedLibrary: Sendable {
    static let killPoint = PreloadedLibrary("killpoint")
    static let clockShift = PreloadedLibrary("clockshift")

    private let compiled: Task<String, any Error>

    private init(_ name: String) {
        compiled = Task {
            let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "\(name).c").path
            // Beside the products, where `clean` finds it; by way of another name, because other runs may be using it.
            let library = try productsFolder().appending(path: "lib\(name).so").path
            let fresh = "\(library).\(ProcessInfo.processInfo.processIdentifier)"
            try await compileC(source, to: fresh, options: ["-shared", "-fPIC"])
            guard rename(fresh, library) == 0 else { throw Failure(call: "rename to \(library)") }
            return library
        }
    }

    func path() async throws -> String {
        try await compiled.value
    }
}

/// What goes into the environment of a program whose time of day is ahead by so much; behind, where that is negative.
///
/// No other clock is touched: it is as if somebody had set the machine's clock while it was running.
package func clockShift(seconds: Int64) async throws -> [String: String] {
    ["LD_PRELOAD": try await PreloadedLibrary.clockShift.path(), "CLOCKSHIFT_SECONDS": "\(seconds)"]
}

/// Compiles a C file with the system's compiler, or with that of the Swift toolchain.
package func compileC(_ source: String, to output: String, options: [String] = []) async throws {
    var problems: [String] = []
    for compiler in ["cc", "clang"] {
        let program = Program(compiler, ["-O2", "-pthread"] + options + ["-o", output, source, "-ldl"])
        do {
            let finished = try await program.run(within: .seconds(60))
            if finished.exit == .code(0) { return }
            problems.append(finished.stderr)
        } catch {
            problems.append("\(error)")
        }
    }
    throw Failure("cannot compile \(source): \(problems.joined(separator: "\n"))")
}
