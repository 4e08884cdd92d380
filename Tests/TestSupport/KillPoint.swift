import Foundation

/// Kills a program just before its N-th call that changes files, counted over all its threads.
///
/// To be used on any program that is linked dynamically with the C library: put `environment` into its environment.
///
///     let points = try await KillPoint.each { point in
///         let folder = try TemporaryFolder()
///         let finished = try await Program(foyer, […], environment: […]).adding(point.environment).run()
///         // Start the program again, without the kill point, and check that nothing acknowledged is lost.
///     }
///     #expect(points > 0)
public final class KillPoint: Sendable, CustomStringConvertible {
    /// A kind of call that changes files or folders. Pipes and terminals do not count.
    public enum Call: String, CaseIterable, Sendable {
        /// Bytes into a file.
        case write
        /// `fsync` and `fdatasync`.
        case sync
        /// A new length, or space taken in advance.
        case truncate
        /// A file, folder or symbolic link made, and a file opened so that it could be.
        case create
        /// A file or folder removed.
        case remove
        /// A new name, or one more.
        case rename
    }

    /// Which call is not reached alive, from 1; 0 only counts.
    public let number: Int
    /// What the program needs in its environment to be killed at this point.
    public let environment: [String: String]
    private let folder: TemporaryFolder
    private var reportFile: String { folder.appending("report") }

    /// A point to be used for one run, which may be that of several programs that start each other.
    public init(number: Int, of calls: Set<Call> = Set(Call.allCases)) async throws {
        self.number = number
        folder = try TemporaryFolder()
        environment = [
            "LD_PRELOAD": try await PreloadedLibrary.killPoint.path(),
            "KILLPOINT_NUMBER": "\(number)",
            "KILLPOINT_CALLS": calls.map(\.rawValue).sorted().joined(separator: ","),
            "KILLPOINT_REPORT": folder.appending("report"),
        ]
        try Data(count: Report.size).write(to: URL(filePath: reportFile))
    }

    /// Calls `body` with the points 1, 2, 3, … until a run survives, and returns how many runs were killed.
    ///
    /// Each call of the program is met once in this way: where threads make their calls in another order in each run,
    /// each place in the order is. The last time, `body` sees a run to which nothing happens.
    @discardableResult
    public static func each(
        of calls: Set<Call> = Set(Call.allCases), limit: Int = 10_000, _ body: (KillPoint) async throws -> Void
    ) async throws -> Int {
        for number in 1...limit {
            let point = try await KillPoint(number: number, of: calls)
            try await body(point)
            if try !point.wasReached { return number - 1 }
        }
        throw Failure("the program still reaches kill point \(limit)")
    }

    /// How many calls were counted.
    public var count: Int { get throws { try report().count } }

    /// Whether the program was killed here.
    public var wasReached: Bool { get throws { try report().killedBefore != nil } }

    /// The point, and the call that was not made any more: for messages of tests.
    public var description: String {
        switch Result(catching: { try report().killedBefore }) {
        case .success(let call?): "kill point \(number), before \(call)"
        case .success(nil): "kill point \(number), not reached"
        case .failure(let error): "kill point \(number): \(error)"
        }
    }

    private func report() throws -> Report {
        let report = Report(try Data(contentsOf: URL(filePath: reportFile)))
        guard report.isLoaded else {
            throw Failure("kill point \(number): no program has loaded the library; was its environment given?")
        }
        return report
    }
}

/// What the preloaded library leaves behind: `struct report` in killpoint.c.
private struct Report {
    static let size = 512
    let isLoaded: Bool
    let count: Int
    let killedBefore: String?

    init(_ data: Data) {
        let bytes = [UInt8](data)
        func number(at offset: Int) -> Int {
            Int(bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) })
        }
        isLoaded = number(at: 0) == 1
        count = number(at: 4)
        killedBefore = number(at: 8) == 0 ? nil : String(decoding: bytes[12...].prefix { $0 != 0 }, as: UTF8.self)
    }
}
