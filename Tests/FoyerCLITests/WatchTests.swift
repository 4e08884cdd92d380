import Foundation
import Glibc
import TestSupport
import Testing

/// `foyer sync --watch`: a program that delivers until a signal ends it.
@Suite(.timeLimit(.minutes(2))) struct WatchTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func whatIsQueuedElsewhereIsDeliveredUntilASignalEndsIt(number: Int32) async throws {
        let household = try Household()
        let watch = try household.terminal("sync", "--watch", "--json")
        try await watch.expect(#""event":"waiting""#)
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        try await watch.expect(#""outcome":"accepted""#)
        watch.signal(number)
        let finished = try await watch.wait()
        #expect(finished == .signal(number))
        #expect(try await household.states() == ["finished 5 accepted active 0"])
        #expect(try await household.sqlite3("SELECT count(*) FROM workers") == "0")
        #expect(try household.strayFiles() == [])
        for line in watch.transcript.split(whereSeparator: \.isNewline) {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["schema"] as? Int == 1, "\(line)")
        }
        try await household.checkInvariants()
    }
}
