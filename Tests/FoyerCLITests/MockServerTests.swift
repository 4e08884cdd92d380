import Foundation
import FoyerModel
import TestSupport
import Testing

/// `foyer mock-server` as a program.
@Suite(.timeLimit(.minutes(2))) struct MockServerTests {
    /// Talks HTTP to the server that a line of shell has started as `$url`, and ends it by a signal.
    private func session(
        _ household: Household, _ arguments: String, signal: String = "TERM", then commands: String = ""
    ) async throws -> Program.Finished {
        try await household.shell(
            """
            export TMPDIR="$HOME"
            exec 3< <(foyer mock-server \(arguments) 2>"$HOME/log" & echo $!; wait $!; echo "ended $?")
            read -r server <&3; read -r url <&3
            \(commands)
            echo "$url"; kill -\(signal) "$server"; cat <&3
            """)
    }

    @Test(
        "It prints where it listens, serves until a signal comes, and ends by that signal", arguments: ["TERM", "HUP"])
    func signals(signal: String) async throws {
        let household = try Household()
        let request = "printf 'GET /v1/sealing-key HTTP/1.0\\r\\n\\r\\n' >&9; head -1 <&9 >&2"
        let finished = try await session(
            household, "--state \"$HOME/state\"", signal: signal,
            then: "exec 9<>/dev/tcp/127.0.0.1/${url##*:}; \(request)")
        let lines = finished.stdout.split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: #/http://127\.0\.0\.1:\d+/#) != nil)
        #expect(lines.last == (signal == "TERM" ? "ended 143" : "ended 129"))
        #expect(finished.stderr.contains("HTTP/1.1 200 OK"))
        #expect(try await Program("stat", ["-c", "%a", household.folder.appending("state")]).run().stdout == "600\n")
        #expect(
            try await household.sqlite3("SELECT count(*) FROM sealing_keys", at: household.folder.appending("state"))
                == "1")
    }

    @Test("Ctrl-C ends it, and it takes its temporary accounts along")
    func interrupted() async throws {
        let household = try Household()
        let terminal = try household.terminal("mock-server")
        try await terminal.expect("temporary")
        try terminal.send("\u{3}")
        #expect(try await terminal.wait() == .signal(2))
        #expect(terminal.transcript.contains("http://127.0.0.1:"))
    }

    @Test("Without a file, its accounts are temporary, and it says so")
    func temporary() async throws {
        let household = try Household()
        let finished = try await session(
            household, "--json", then: "export url; ls -d \"$TMPDIR\"/foyer-mock-server-* >&2")
        #expect(finished.stderr.contains("foyer-mock-server-"))
        #expect(finished.stdout.contains(#/\{"schema":1,"url":"http://127\.0\.0\.1:\d+"\}/#))
        let log = try String(contentsOfFile: household.folder.appending("log"), encoding: .utf8)
        #expect(log.contains("temporary"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.folder.path) == ["log"])
    }

    @Test(
        "What it cannot understand is a mistake of whoever typed it",
        arguments: [
            ["--fault", "nope"], ["--fault", "lost:101%"], ["--port", "65536"], ["--port", "http"], ["--seed", "-1"],
            ["--fault", "lost:60%", "--fault", "rst:60%"], ["now"],
        ])
    func usage(arguments: [String]) async throws {
        let household = try Household()
        let finished = try await household.foyer(["mock-server", "--json"] + arguments)
        #expect(finished.exit == .code(64))
        #expect(try finished.error() != nil)
        #expect(finished.stderr.hasPrefix("foyer: "))
    }

    @Test(
        "Who registers over HTTP has an account there, with the password sent as it is or in a box",
        arguments: [
            false, true,
        ])
    func registration(isSealed: Bool) async throws {
        let household = try Household()
        let sealing = isSealed ? "--sealing-key \"$HOME/server-key\"" : ""
        let finished = try await session(
            household, "--state \"$HOME/accounts\"",
            then: """
                exec 9<>/dev/tcp/127.0.0.1/${url##*:}
                printf 'GET /v1/sealing-key HTTP/1.0\\r\\n\\r\\n' >&9; sed '1,/^\\r$/d' <&9 >"$HOME/server-key"
                (foyer register --network "$url" \(sealing) <<'ANSWERS'
                \(Person.ada.answers.joined(separator: "\n"))
                ANSWERS
                ); echo "registered $?"
                """)
        #expect(finished.stdout.contains("registered 0"), "\(finished.stderr)")
        let state = household.folder.appending("accounts")
        #expect(try await household.sqlite3("SELECT user_name FROM accounts", at: state) == Person.ada.userName)
        let modes = try await household.sqlite3("SELECT count(*) FROM answers WHERE flow_id IS NOT NULL", at: state)
        #expect(modes == (isSealed ? "1" : "0"), "only a box names its flow")
        try household.checkSecrecy()
    }

    @Test("A port that is taken and a file that is none of its own are said, and change nothing")
    func unusable() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: ["ada@example.org"])
        let foreign = try await household.foyer("mock-server", "--state", household.database)
        #expect(foreign.exit == .code(78) && foreign.stdout.isEmpty)
        let finished = try await session(
            household, "", then: "foyer mock-server --port ${url##*:} & wait $!; echo \"second $?\" >&2")
        #expect(finished.stderr.contains("second 1") && finished.stderr.contains("Cannot listen on port"))
    }
}
