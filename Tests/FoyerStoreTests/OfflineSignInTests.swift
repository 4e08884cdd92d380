import FoyerModel
import FoyerTestSupport
import FoyerSQLite
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FoyerStore

/// The least work that the algorithm allows.
private let least = OfflineSignIn(passes: 1, kibibytes: 8)

/// A device whose clocks the test moves.
private final class Device: Sendable {
    private let state = Mutex((wall: TestClock.start, uptime: Duration.seconds(1000), boot: 1))
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var database: String { folder.appending("a.db") }
    func pass(_ time: Duration) { state.withLock { $0 = ($0.wall + time, $0.uptime + time, $0.boot) } }
    func setTime(by change: Duration) { state.withLock { $0.wall = $0.wall + change } }
    func restart() { state.withLock { $0 = ($0.wall, .seconds(5), $0.boot + 1) } }

    func store(_ offline: OfflineSignIn? = least, sealingKey: SealingKey? = nil) async throws -> Repositories {
        let environment = FoyerEnvironment(
            now: { self.state.withLock { $0.wall } }, uptime: { self.state.withLock { $0.uptime } },
            bootID: "boot \(state.withLock { $0.boot })")
        return try await Repositories.open(
            at: database, key: .file(folder.appending("keys/key")), endpoint: .named("server"), sealingKey: sealingKey,
            offlineSignIn: offline,
            environment: environment)
    }

    /// A sign-in, typed in this store and waiting for the network.
    func typed(_ person: Person = .ada, in store: Repositories, isVolatile: Bool = false) async throws {
        let make = store.environment.makeID, now = store.environment.now()
        let flow = SavedFlow(
            id: make(), kind: .login, path: "login", status: .open, fingerprint: "", step: nil, revision: 0,
            userID: nil, submissionID: make(), createdAt: now, updatedAt: now, expiresAt: nil)
        let password = Secret(person.password)
        let answers = [
            FlowChange.Answer(step: "userName", version: 1, content: .clear(person.userName)),
            FlowChange.Answer(step: "password", version: 1, content: isVolatile ? nil : .secret(password)),
        ]
        let new = NewSubmission(id: flow.submissionID, kind: .login, lane: person.userName, body: "{}")
        let finish = FlowChange.Finish(user: nil, submission: new, secrets: isVolatile ? ["password": password] : [:])
        _ = try await store.commit(
            FlowChange(
                flow: flow, fingerprint: FlowDefinition.login.fingerprint, answers: answers, step: nil,
                outcome: .submitted(finish), tree: [], at: now))
    }

    /// The network's answer to what waits.
    func settle(_ settlement: Settlement, in store: Repositories) async throws {
        let worker = try store.makeWorker()
        let claimed = try #require(
            try await store.claim(1, by: worker.worker, for: "server", isIdle: true).first)
        #expect(try await store.begin(claimed))
        #expect(try await store.settle(claimed, settlement, .answered, httpStatus: nil))
        withExtendedLifetime(worker) {}
    }

    /// A store in which the person was signed in online once.
    func signedIn(_ person: Person = .ada) async throws -> Repositories {
        let store = try await store()
        try await typed(person, in: store)
        try await settle(.verdict(.accepted(remoteID: "remote \(person.userName)")), in: store)
        return store
    }

    func sql(_ sql: String) async throws -> String {
        let finished = try await Program("sqlite3", ["-cmd", ".timeout 5000", database, sql]).run()
        guard finished.exit == .code(0) else { throw Failure(finished.stderr) }
        return finished.stdout.trimmingCharacters(in: .newlines)
    }
}

extension Repositories {
    fileprivate func verify(_ password: String = Person.ada.password, _ name: String = "ada.l") async throws -> String {
        switch try await verifyOffline(userName: name, password: Secret(password)) {
        case .right(let user): "right \(user.userName ?? "")"
        case .wrong: "wrong"
        case .locked(let time): "locked \(time.components.seconds)"
        case .needsOnline: "needs online"
        }
    }
}

@Suite struct OfflineSignInTests {
    @Test("Who was accepted online is known offline, in any later program; a wrong password is not")
    func known() async throws {
        let device = try Device()
        let store = try await device.signedIn()
        for store in [store, try await device.store()] {
            #expect(try await store.verify() == "right ada.l")
            #expect(try await store.verify(Person.ada.password, " Ada.L ") == "right ada.l")
            #expect(try await store.verify("four unrelated word") == "wrong")
        }
        #expect(try await device.sql("SELECT count(*) FROM secrets") == "0")
        let everything = try await device.sql(".dump")
        #expect(!everything.contains("argon2id") && !everything.contains(Person.ada.password))
        #expect(try device.folder.occurrences(of: Array("argon2id".utf8)) == [])
    }

    @Test("It is off unless it is asked for: nothing is kept then, and only the network can tell")
    func off() async throws {
        let device = try Device()
        let store = try await device.store(nil)
        try await device.typed(in: store)
        #expect(try await device.sql("SELECT count(*) FROM secrets WHERE verifier IS NULL") == "1")
        try await device.settle(.verdict(.accepted(remoteID: "r")), in: store)
        #expect(try await store.verify() == "needs online")
        #expect(try await device.store().verify() == "wrong")
        #expect(try await device.sql("SELECT count(*) FROM verifiers") == "0")
    }

    /// How the password is kept until the network has it.
    enum Keeping: CaseIterable { case deviceSealed, serverSealed, volatile }

    @Test("The program that learns the verdict need not be the one that was typed into", arguments: Keeping.allCases)
    func elsewhere(keeping: Keeping) async throws {
        let device = try Device()
        let sealingKey: SealingKey? = keeping == .serverSealed ? try Self.serverKey() : nil
        let typing = try await device.store(sealingKey: sealingKey)
        try await device.typed(in: typing, isVolatile: keeping == .volatile)
        #expect(try await typing.verify() != "right ada.l", "before the verdict nobody is known")
        try await typing.close()
        let delivering = try await device.store(nil)
        try await device.settle(.verdict(.accepted(remoteID: "r")), in: delivering)
        #expect(try await device.store().verify() == "right ada.l")
    }

    private static func serverKey() throws -> SealingKey {
        // Any point of the curve does: the base point.
        let json = """
            {"schema":1,"algorithm":"crypto_box_seal","aud":"https://example.org","key_id":"k",\
            "public_key":"CQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}
            """
        return try #require(SealingKey(json: Array(json.utf8)))
    }

    @Test("What the network refuses, and what is given up, leaves no verifier")
    func refused() async throws {
        let device = try Device()
        let store = try await device.store()
        try await device.typed(in: store)
        #expect(try await device.sql("SELECT count(*) FROM secrets WHERE verifier NOT NULL") == "1")
        let refusal = FieldRefusal(step: "password", message: FieldMessage("password.too_common"))
        try await device.settle(.verdict(.rejected([refusal])), in: store)
        #expect(try await device.sql("SELECT (SELECT count(*) FROM secrets) + (SELECT count(*) FROM verifiers)") == "0")
        #expect(try await store.verify() == "wrong")
    }

    @Test(
        "Wrong passwords wait longer and longer, and after ten only the network can tell",
        arguments: ["ada.l", "mallory"])
    func throttled(name: String) async throws {
        let device = try Device()
        let store = try await device.signedIn()
        for wait in [0, 0, 0, 0, 30, 60, 300, 900, 3600, 0] {
            #expect(try await store.verify("no", name) == "wrong")
            guard wait > 0 else { continue }
            #expect(try await store.verify(Person.ada.password, name) == "locked \(wait)", "also for the right one")
            device.pass(.seconds(wait - 1))
            #expect(try await device.store().verify("no", name) == "locked 1")
            device.pass(.seconds(1))
        }
        for _ in 0..<3 { #expect(try await store.verify(Person.ada.password, name) == "needs online") }
        #expect(try await device.sql("SELECT count(*) FROM verifiers") == (name == "mallory" ? "1" : "0"))
        #expect(try await !device.sql(".dump offline_attempts").contains("mallory"))
        guard name != "mallory" else { return }
        try await device.typed(in: store)
        try await device.settle(.verdict(.accepted(remoteID: "remote ada.l")), in: store)
        #expect(try await store.verify() == "right ada.l", "the network has accepted again")
    }

    @Test("A right password takes back what was counted, the tenth try's too")
    func forgiven() async throws {
        let device = try Device()
        let store = try await device.signedIn()
        for _ in 0..<3 {
            for _ in 0..<4 { #expect(try await store.verify("no") == "wrong") }
            #expect(try await store.verify() == "right ada.l")
        }
        for _ in 0..<9 {
            #expect(try await store.verify("no") == "wrong")
            device.pass(.seconds(3600))
        }
        #expect(try await store.verify() == "right ada.l")
        #expect(try await device.sql("SELECT count(*) FROM offline_attempts") == "0")
    }

    @Test("Setting the clock, forth or back, or a restart with it, shortens no lock")
    func clock() async throws {
        let device = try Device()
        let store = try await device.signedIn()
        for _ in 0..<5 { #expect(try await store.verify("no") == "wrong") }
        for change in [-86400, 10 * 86400, -365 * 86400] {
            device.setTime(by: .seconds(change))
            #expect(try await store.verify() == "locked 30")
            #expect(try await device.store().verify() == "locked 30")
        }
        device.pass(.seconds(30))
        #expect(try await store.verify("no") == "wrong")
        device.pass(.seconds(60))
        #expect(try await store.verify("no") == "wrong")
        device.setTime(by: .seconds(-86400))
        device.restart()
        // How far the queue's clock got is on the disk to the minute.
        #expect(try await device.store().verify() == "locked 240")
    }

    @Test("A verifier is good for 90 days, from the last sign-in online")
    func lifetime() async throws {
        let device = try Device()
        let store = try await device.signedIn()
        device.pass(.seconds(90 * 86400 - 1))
        #expect(try await store.verify() == "right ada.l")
        device.pass(.seconds(1))
        #expect(try await store.verify() == "wrong")
    }

    @Test("A verifier that another program has changed, moved or exchanged lets nobody in")
    func tampered() async throws {
        let device = try Device()
        var grace = Person.grace
        grace.password = "another set of words"
        _ = try await device.signedIn(grace)
        let store = try await device.signedIn()
        _ = try await device.sql(
            """
            UPDATE verifiers SET box = (SELECT box FROM verifiers JOIN users ON id = user_id WHERE user_name = 'grace')
            """)
        #expect(try await store.verify("another set of words") == "wrong")
        #expect(try await store.verify("another set of words", "grace") == "right grace")
        _ = try await device.sql("UPDATE verifiers SET box = 'b1AA=='")
        #expect(try await store.verify("another set of words", "grace") == "wrong")
    }

    @Test("After a change of the key everything is as before")
    func rotated() async throws {
        let device = try Device()
        let store = try await device.signedIn()
        try await device.typed(.grace, in: store)
        for _ in 0..<3 { #expect(try await store.verify("no") == "wrong") }
        _ = try await store.rotateKey()
        #expect(try await device.sql("SELECT count FROM offline_attempts") == "3")
        #expect(try await store.verify() == "right ada.l")
        try await device.settle(.verdict(.accepted(remoteID: "g")), in: store)
        #expect(try await store.verify(Person.grace.password, "grace") == "right grace")
        #expect(try await device.store().verify() == "right ada.l")
    }

    @Test("A right password is hashed again where more work is wanted by now")
    func renewed() async throws {
        let device = try Device()
        _ = try await device.signedIn()
        let before = try await device.sql("SELECT hex(box) FROM verifiers")
        let more = try await device.store(OfflineSignIn(passes: 2, kibibytes: 16))
        #expect(try await more.verify("no") == "wrong")
        #expect(try await device.sql("SELECT hex(box) FROM verifiers") == before)
        #expect(try await more.verify() == "right ada.l")
        #expect(try await device.sql("SELECT hex(box) FROM verifiers") != before)
        #expect(try await more.verify() == "right ada.l")
    }

    @Test("Ends by force in the middle of a hash are no way to more tries")
    func killed() async throws {
        let device = try Device()
        _ = try await device.signedIn()
        let folder = device.folder.path
        for round in 1...4 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, round = round as Int] in
                // Long enough that the end comes before that of the hash.
                let slow = OfflineSignIn(passes: 10, kibibytes: 262_144)
                let store = try await Repositories.open(
                    at: "\(folder)/a.db", key: .file("\(folder)/keys/key"), endpoint: .named("server"),
                    offlineSignIn: slow,
                    environment: TestClock(TestClock.start).environment)
                let isTried = Task { try await store.verifyOffline(userName: "mallory", password: Secret("no")) }
                let deadline = ContinuousClock.now + .seconds(20)
                while ContinuousClock.now < deadline {
                    let count = try await store.read { db in
                        try db.first("SELECT max(count) FROM offline_attempts") { try $0.integerOrNil(0) }
                    }
                    if count == Int64(round) { kill(getpid(), SIGKILL) }
                }
                _ = try await isTried.value
            }
        }
        #expect(try await device.sql("SELECT count FROM offline_attempts") == "4")
    }

    @Test("Without the device's key nobody is let in, and nothing is counted")
    func keyless() async throws {
        let device = try Device()
        _ = try await device.signedIn()
        try #require(unlink(device.folder.appending("keys/key")) == 0)
        let store = try await device.store()
        #expect(await code { _ = try await store.verify() } == .keyMissing)
        #expect(try await device.sql("SELECT count(*) FROM offline_attempts") == "0")
    }
}
