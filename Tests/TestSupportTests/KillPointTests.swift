import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct KillPointTests {
    /// Three threads that write four bytes each into a file.
    private static let writers = """
        #include <fcntl.h>
        #include <pthread.h>
        #include <unistd.h>
        static int file;
        static void *write_four(void *first) {
            for (int i = 0; i < 4; i++) {
                char byte = *(char *)first + i;
                if (pwrite(file, &byte, 1, byte - 'A') != 1) _exit(1);
            }
            return 0;
        }
        int main(int count, char **arguments) {
            file = open(arguments[count - 1], O_RDWR | O_CREAT, 0600);
            pthread_t threads[3];
            for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, write_four, &"AEI"[i]);
            for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
            return 0;
        }
        """

    @Test("The kill points meet each write of every thread")
    func eachWriteOfAllThreadsIsMet() async throws {
        let folder = try TemporaryFolder()
        try Data(Self.writers.utf8).write(to: URL(filePath: folder.appending("writers.c")))
        let writers = Program(folder.appending("writers"), [folder.appending("file")])
        try await compileC(folder.appending("writers.c"), to: writers.executable)

        let points = try await KillPoint.each(of: [.write]) { point in
            try? FileManager.default.removeItem(atPath: folder.appending("file"))
            let finished = try await writers.adding(point.environment).run()
            let written = try Data(contentsOf: URL(filePath: folder.appending("file"))).filter { $0 != 0 }
            if try point.wasReached {
                #expect(finished.exit == .signal(SIGKILL))
                #expect(written.count < point.number, "\(point)")
                #expect(point.description.contains("before pwrite \(folder.path)/file"))
            } else {
                #expect(finished.exit == .code(0))
                #expect(String(decoding: written, as: UTF8.self) == "ABCDEFGHIJKL")
            }
        }
        #expect(points == 12)
    }

    @Test("An SQLite transaction killed at any point is whole or absent")
    func aTransactionIsWholeOrAbsentAtEachPoint() async throws {
        var outcomes: Set<String> = []
        let points = try await KillPoint.each { point in
            let folder = try TemporaryFolder()
            let database = folder.appending("database")
            let schema = "PRAGMA journal_mode = WAL; CREATE TABLE row (a, b);"
            #expect(try await Program("sqlite3", [database, schema]).run().exit == .code(0))
            let insertion = "BEGIN; INSERT INTO row VALUES (1, 2); INSERT INTO row VALUES (3, 4); COMMIT;"
            let finished = try await Program("sqlite3", [database, insertion]).adding(point.environment).run()
            #expect(try finished.exit == (point.wasReached ? .signal(SIGKILL) : .code(0)))
            let check = "SELECT count(*) FROM row; PRAGMA integrity_check;"
            outcomes.insert(try await Program("sqlite3", [database, check]).run().stdout)
        }
        #expect(points > 5)
        #expect(outcomes == ["0\nok\n", "2\nok\n"])
    }

    @Test("The kill points count exactly the calls that the kernel sees", .enabled { await Strace.isAvailable() })
    func whatIsCountedIsWhatTheKernelSees() async throws {
        let folder = try TemporaryFolder()
        let point = try await KillPoint(number: 0, of: [.write, .sync, .truncate, .remove])
        let statements = "PRAGMA journal_mode = WAL; CREATE TABLE row (a); INSERT INTO row VALUES (1);"
        let program = Program("sqlite3", [folder.appending("database"), statements]).adding(point.environment)
        let names = ["write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink"]
        let (lines, finished) = try await Strace.calls(names, of: program)
        #expect(finished.exit == .code(0))
        #expect(finished.stdout == "wal\n")
        let seen = lines.filter { $0.contains(folder.path) }
        #expect(seen.count > 10)
        #expect(try point.count == seen.count, "\(seen.joined(separator: "\n"))")
    }

    @Test(
        "A program that a signal ends under strace is reported as ended by that signal",
        .enabled { await Strace.isAvailable() })
    func aSignalIsSeenThroughStrace() async throws {
        let (_, finished) = try await Strace.calls(["write"], of: Program("/bin/sh", ["-c", "kill -TERM $$"]))
        #expect(finished.exit == .signal(SIGTERM))
    }

    @Test("Kill points fail when no program runs with the library")
    func aRunWithoutTheLibraryIsAFailure() async throws {
        await #expect(throws: Failure.self) { try await KillPoint.each { _ in } }
    }
}
