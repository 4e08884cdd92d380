import Foundation
import Glibc
import TestSupport
import Testing

/// `foyer sync --watch`: a program that delivers until a signal ends it.
@Suite(.timeLimit(.minutes(2))) struct WatchTests {
    @Test("A watch delivers what other processes queue until a signal ends it", arguments: [SIGTERM, SIGINT])
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

    @Test(
        "A connection that comes up is tried at once, however long the endpoint was to be left alone",
        .enabled { try await Program("unshare", ["-rn", "ip", "link"]).run().exit == .code(0) })
    func connectionComesUp() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        var program = try household.program([])
        let foyer = program.executable
        program.executable = "unshare"
        program.arguments = ["-rn", "bash", "-c", Self.outage, foyer, household.database]
        let finished = try await program.run()
        #expect(finished.exit == .code(0), "\(finished.stdout) \(finished.stderr)")
        let milliseconds = try #require(Int(finished.stdout.split(separator: "\n").last ?? ""), "\(finished.stdout)")
        #expect(milliseconds < 5000, "without a word of the system it would have been ten minutes")
        try household.checkSecrecy()
    }

    /// A machine of its own whose only connection goes down and comes up again; prints how long the delivery took.
    private static let outage = """
        set -e
        database=$1
        waiting() { for _ in $(seq 400); do if eval "$1"; then return; fi; sleep 0.05; done; exit 9; }
        closed='SELECT count(*) FROM endpoints WHERE open_until IS NOT NULL AND prober IS NULL'
        later='UPDATE endpoints SET open_until = open_until + 600000 WHERE open_until IS NOT NULL AND prober IS NULL RETURNING 1'
        ip link set lo up
        "$0" mock-server --state "$HOME/accounts" >"$HOME/url" 2>/dev/null & server=$!
        trap 'kill $server $watch 2>/dev/null' EXIT
        waiting '[ -s "$HOME/url" ]'
        submission=$(sqlite3 "$database" 'SELECT id FROM submissions')
        "$0" outbox redirect "$submission" --network "$(cat "$HOME/url")" --yes >/dev/null 2>&1
        ip address del 127.0.0.1/8 dev lo
        "$0" sync --watch --json --network "$(cat "$HOME/url")" >"$HOME/events" 2>/dev/null & watch=$!
        waiting '[ "$(sqlite3 "$database" "$closed")" = 1 ]'
        waiting '[ "$(sqlite3 -cmd ".timeout 5000" "$database" "$later")" = 1 ]'
        begun=$(date +%s%3N)
        ip address add 127.0.0.1/8 dev lo
        waiting 'grep -q accepted "$HOME/events"'
        echo $(($(date +%s%3N) - begun))
        """
}
