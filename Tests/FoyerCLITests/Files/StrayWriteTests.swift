import Foundation
import TestSupport
import Testing

/// libdispatch may write to a descriptor after it has closed it: no file of ours may have its number by then.
@Suite(.timeLimit(.minutes(1)), .disabled(if: isSanitized)) struct StrayWriteTests {
    @Test("A late wake-up of the main thread is not written into the database")
    func aLateWakeUpOfTheMainThreadIsNotWrittenIntoTheDatabase() async throws {
        let household = try Household()
        let library = household.folder.appending("slowwakeup.so")
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../TestSupport/slowwakeup.c").standardized.path
        try await compileC(source, to: library, options: ["-shared", "-fPIC"])
        try await household.foyer("register", lines: [Person.ada.email])
        for command in [["register"], ["users"], ["flows"], ["doctor"]] {
            let slow = try await household.foyer(
                command + ["--network", "offline"], lines: ["no address"], adding: ["LD_PRELOAD": library])
            #expect([.code(0), .code(65)].contains(slow.exit), "\(command): \(slow.stderr)")
            #expect(try await household.sqlite3("PRAGMA integrity_check") == "ok", "\(command)")
        }
    }
}
