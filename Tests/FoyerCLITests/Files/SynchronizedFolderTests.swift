import Foundation
import TestSupport
import Testing

/// What was acknowledged survives a loss of power only if every name on the way to it is on the disk, too.
@Suite(.timeLimit(.minutes(2))) struct SynchronizedFolderTests {
    /// A file or folder whose name was made, and where that was in the list of calls.
    private struct Made {
        let path: String
        let index: Int
        var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
    }

    @Test(
        "Every new file name is on the disk before the next answer is acknowledged",
        .enabled { await Strace.isAvailable() })
    func everyNewNameIsOnTheDiskBeforeTheNextAnswerIsAcknowledged() async throws {
        let household = try Household()
        let program = try household.program(["register"])
        let (lines, finished) = try await Strace.calls(
            ["mkdir", "link", "linkat", "rename", "renameat", "fsync", "fdatasync"], of: program,
            input: .text(Person.ada.answers.joined(separator: "\n")))
        #expect(finished.exit == .code(0), "\(finished.stderr)")
        let all = lines.enumerated().flatMap { Self.made(in: $1, at: $0) }
        // The locks of workers that are alive need no disk; nor does the temporary name of what is made.
        let made = all.filter { !$0.path.hasSuffix(".workers") }
        let wanted = ["data", "data/foyer", "data/foyer/foyer.db", "state", "state/foyer", "state/foyer/key"]
        #expect(Set(made.map(\.path)).isSuperset(of: wanted.map(household.folder.appending)), "\(made)")
        for name in made {
            let later = lines[name.index...]
            let written = later.firstIndex { Self.isSync($0, of: name.folder) }
            let acknowledged = later.firstIndex { Self.isSync($0, of: household.database + "-wal") }
            #expect(acknowledged != nil, "\(name.path): nothing was acknowledged after it")
            #expect((written ?? .max) < (acknowledged ?? 0), "\(name.path)")
        }
    }

    private static func isSync(_ line: String, of path: String) -> Bool {
        line.contains("sync(") && line.contains("<\(path)>")
    }

    /// The last path in a call that has made a name.
    private static func made(in line: String, at index: Int) -> [Made] {
        guard line.hasSuffix("= 0"), !line.contains("sync(") else { return [] }
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return [] }
        return [Made(path: String(parts[parts.count - 2]), index: index)]
    }
}
