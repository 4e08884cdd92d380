import Foundation
import FoyerMockNetwork
import FoyerModel
import Synchronization
import TestSupport
import Testing

/// One person's home folder, in which the program finds and makes all its files, and what it said there.
final class Household: Sendable {
    let folder: TemporaryFolder
    private let said = Mutex<[String]>([])
    private let terminals = Mutex<[PseudoTerminal]>([])

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A copy of everything in the other one's folder.
    init(copying other: Household) throws {
        folder = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.path) {
            try FileManager.default.copyItem(atPath: other.folder.appending(name), toPath: folder.appending(name))
        }
    }

    /// The bytes of every file, by its path in the folder.
    func files() throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: folder.appending($1)) }
    }

    /// A folder with these files, as the program makes them: for their owner only.
    init(restoring files: [String: Data]) throws {
        folder = try TemporaryFolder()
        for (path, bytes) in files {
            let file = URL(filePath: folder.appending(path))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try bytes.write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
    }

    var database: String { folder.appending("data/foyer/foyer.db") }
    var keyFile: String { folder.appending("state/foyer/key") }
    var mockNetwork: String { "\(database).mock-network" }
    var hasDatabase: Bool { FileManager.default.fileExists(atPath: database) }

    // MARK: Programs

    func program(_ arguments: [String]) throws -> Program {
        Program(
            try builtProduct("foyer"), arguments,
            environment: [
                "HOME": folder.path, "XDG_DATA_HOME": folder.appending("data"),
                "XDG_STATE_HOME": folder.appending("state"), "TERM": "xterm",
            ])
    }

    /// Runs `foyer` on pipes, with these lines on its standard input.
    @discardableResult
    func foyer(
        _ arguments: String..., lines: [String] = [], adding environment: [String: String] = [:]
    ) async throws -> Program.Finished {
        try await foyer(arguments, lines: lines, adding: environment)
    }

    @discardableResult
    func foyer(
        _ arguments: [String], lines: [String] = [], adding environment: [String: String] = [:]
    ) async throws -> Program.Finished {
        let input = lines.map { $0 + "\n" }.joined()
        return heard(try await program(arguments).adding(environment).run(input: .text(input)))
    }

    /// Runs a line of shell in which `foyer` is the program.
    func shell(_ line: String, lines: [String] = []) async throws -> Program.Finished {
        var program = try program([])
        let foyer = program.executable
        program.executable = "/bin/bash"
        program.arguments = ["-c", "foyer() { exec \(foyer) \"$@\"; }; \(line)"]
        return heard(try await program.run(input: .text(lines.map { $0 + "\n" }.joined())))
    }

    /// Starts `foyer` on a terminal of its own.
    func terminal(_ arguments: String...) throws -> PseudoTerminal {
        try terminal(arguments)
    }

    func terminal(
        _ arguments: [String], adding environment: [String: String] = [:], columns: UInt16 = 80
    ) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(try program(arguments).adding(environment), columns: columns)
        terminals.withLock { $0.append(terminal) }
        return terminal
    }

    /// What the `sqlite3` program prints for a query, each row on a line.
    func sqlite3(_ sql: String, at path: String? = nil) async throws -> String {
        let finished = try await Program("sqlite3", ["-cmd", ".timeout 10000", path ?? database, sql]).run()
        guard finished.exit == .code(0) else { throw Failure("sqlite3 \(sql): \(finished.stderr)") }
        return finished.stdout.trimmingCharacters(in: .newlines)
    }

    private func heard(_ finished: Program.Finished) -> Program.Finished {
        said.withLock { $0 += [finished.stdout, finished.stderr] }
        return finished
    }

    // MARK: What is in the files

    /// The accounts at the mock network, without what differs from run to run; nothing while it has no file.
    func accounts() async throws -> String {
        guard FileManager.default.fileExists(atPath: mockNetwork) else { return "" }
        return try await sqlite3(
            "SELECT email, email_key, user_name, user_name_key, first_name, last_name FROM accounts", at: mockNetwork)
    }

    /// The people in the store, without what differs from run to run.
    func people() async throws -> String {
        try await sqlite3(
            """
            SELECT email, email_key, user_name, user_name_key, first_name, last_name, status, remote_id IS NOT NULL
            FROM users
            """)
    }

    /// Each flow in words: its status, how many answers it has, its submission's state, its person's status.
    func states() async throws -> [String] {
        guard hasDatabase else { return [] }
        let rows = try await sqlite3(
            """
            SELECT status, (SELECT count(*) FROM flow_steps WHERE flow_id = flows.id),
                coalesce((SELECT group_concat(state) FROM submissions WHERE flow_id = flows.id), '-'),
                coalesce((SELECT status FROM users WHERE id = flows.user_id), '-'),
                (SELECT count(*) FROM secrets WHERE flow_id = flows.id)
            FROM flows ORDER BY created_at
            """)
        return rows.split(separator: "\n").map { String($0).replacing("|", with: " ") }
    }

    func attempts() async throws -> String {
        try await sqlite3("SELECT * FROM submission_attempts ORDER BY started_at")
    }

    /// Asks the mock network, on a copy of its file, whether the person can sign in with that password.
    func canSignIn(_ person: Person) async throws -> Bool {
        let copy = try Household(copying: self)
        let body: [String: Any] = [
            "schema": 1, "fields": ["user_name": person.userName],
            "secrets": ["password": ["mode": "plain", "text": person.password]],
        ]
        let bytes = [UInt8](try JSONSerialization.data(withJSONObject: body))
        let network = MockNetwork(path: copy.mockNetwork)
        let reply = try await network.submit(
            SubmissionRequest(key: FoyerEnvironment.system.makeID(), kind: .login, body: Secret(utf8: bytes)))
        return (200...201).contains(reply.status)
    }

    /// The key of the mock network with that file, in a file as a server publishes it.
    func sealingKey(in state: String) async throws -> String {
        let row = try await sqlite3("SELECT id, hex(public_key) FROM sealing_keys", at: state)
        let parts = row.split(separator: "|").map(String.init)
        let bytes = stride(from: 0, to: parts[1].count, by: 2).compactMap {
            UInt8(parts[1].dropFirst($0).prefix(2), radix: 16)
        }
        let key: [String: Any] = [
            "schema": 1, "algorithm": "crypto_box_seal", "aud": "foyer-mock-network", "key_id": parts[0],
            "public_key": Data(bytes).base64EncodedString(),
        ]
        let file = folder.appending("server-key")
        try JSONSerialization.data(withJSONObject: key).write(to: URL(filePath: file))
        return file
    }

    // MARK: What must hold after everything

    /// Files that nothing will use or remove any more.
    func strayFiles() throws -> [String] {
        let known: Set<String> = [
            "state/foyer/key", "data/foyer/foyer.db.lock", "data/foyer/foyer.db.mock-network.lock",
        ]
        let databases = ["data/foyer/foyer.db", "data/foyer/foyer.db.mock-network"]
        let expected = known.union(databases.flatMap { [$0, "\($0)-wal", "\($0)-shm"] })
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path))
            return attributes[.type] as? FileAttributeType != .typeDirectory && !expected.contains(path)
        }
    }

    /// The files are whole, nothing was done twice or half, and the password stands nowhere.
    func checkInvariants(at place: SourceLocation = #_sourceLocation) async throws {
        try checkSecrecy(at: place)
        guard hasDatabase else { return }
        #expect(try await sqlite3("PRAGMA integrity_check") == "ok", sourceLocation: place)
        #expect(try await sqlite3("PRAGMA foreign_key_check") == "", sourceLocation: place)
        let accepted = try await sqlite3("SELECT count(*) FROM submissions WHERE state = 'accepted'")
        let registered = try await sqlite3(
            "SELECT count(*) FROM submissions WHERE state = 'accepted' AND kind = 'register'")
        let confirmed = try await sqlite3("SELECT count(DISTINCT user_id) FROM submissions WHERE state = 'accepted'")
        let active = try await sqlite3("SELECT count(*) FROM users WHERE status = 'active'")
        let finished = try await sqlite3("SELECT count(*) FROM flows WHERE status = 'finished'")
        let accounts = try await accounts().split(separator: "\n").count
        #expect(registered == "\(accounts)" && active == confirmed && finished == accepted, sourceLocation: place)
        let closed =
            "SELECT count(*) FROM secrets JOIN flows ON flows.id = flow_id WHERE status NOT IN ('open', 'submitted')"
        #expect(try await sqlite3(closed) == "0", "a secret outlived its flow", sourceLocation: place)
    }

    func checkSecrecy(at place: SourceLocation = #_sourceLocation) throws {
        let shown = said.withLock { $0 } + terminals.withLock { $0 }.map(\.transcript)
        for form in Person.passwordForms {
            #expect(try folder.occurrences(of: form) == [], "the password lies in a file", sourceLocation: place)
            let isShown = shown.contains { Array($0.utf8).firstRange(of: form) != nil }
            #expect(!isShown, "the password was shown", sourceLocation: place)
        }
    }
}

extension PseudoTerminal {
    /// Waits for the questions of these positions and answers each.
    func answer(_ positions: Range<Int>, as person: Person = .ada) async throws {
        for position in positions {
            try await expect("\(Person.question(position)): ")
            try send(person.answers[position] + "\r")
        }
    }

    /// How often a text stands on the screen, with what has left it at the top.
    func count(of text: String) -> Int {
        screen.text.components(separatedBy: text).count - 1
    }
}

extension Program.Finished {
    /// The one JSON object on standard output.
    func object() throws -> [String: Any] {
        guard stdout.hasSuffix("\n"), stdout.split(separator: "\n").count == 1,
            let object = try JSONSerialization.jsonObject(with: Data(stdout.utf8)) as? [String: Any],
            object["schema"] as? Int == 1
        else { throw Failure("not exactly one object of schema 1: \(stdout.debugDescription)") }
        return object
    }

    /// The error in the one JSON object; nil where there is none.
    func error() throws -> (code: String, message: String, field: String?)? {
        let object = try object()
        guard let error = object["error"] as? [String: Any] else { return nil }
        guard let code = error["code"] as? String, let message = error["message"] as? String, object.count == 2 else {
            throw Failure("not an error as it should be: \(stdout)")
        }
        return (code, message, error["field"] as? String)
    }
}
