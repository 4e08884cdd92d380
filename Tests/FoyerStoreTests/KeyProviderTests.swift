import FoyerModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FoyerStore

/// What every way to keep a key has to do; each test runs on all of them.
@Suite struct KeyProviderTests {
    /// A flow with a password under the key of the ring.
    private static func seal(_ password: String = "four unrelated words", in store: Repositories) async throws -> UUIDv7
    {
        let make = store.environment.makeID, now = store.environment.now()
        let flow = SavedFlow(
            id: make(), kind: .login, path: "login", status: .open, fingerprint: "", step: nil, revision: 0,
            userID: nil, submissionID: make(), createdAt: now, updatedAt: now, expiresAt: nil)
        let answers = [FlowChange.Answer(step: "password", version: 1, content: .secret(Secret(password)))]
        let change = FlowChange(
            flow: flow, fingerprint: FlowDefinition.login.fingerprint, answers: answers, step: nil, outcome: .open,
            tree: [], at: now)
        return try await store.commit(change).id
    }

    /// What the password is, as the store opens it.
    private static func open(_ flow: UUIDv7, in store: Repositories) async throws -> String? {
        try await store.read { [vault = store.vault] db in
            try Secrets.all(of: flow, in: db).first.map { String(revealing: try Secrets.open($0, with: vault, in: db)) }
        }
    }

    /// What has to fail with that code, and to change neither the database nor a key.
    private static func expect(
        _ expected: StoreError.Code, in ring: KeyRing, at place: SourceLocation = #_sourceLocation,
        _ body: (Repositories) async throws -> Void
    ) async throws {
        let (before, keys) = (try await ring.everything(), try ring.keyFiles())
        let store = try await ring.store()
        #expect(await code { try await body(store) } == expected, sourceLocation: place)
        #expect(try await ring.everything() == before, "the database has changed", sourceLocation: place)
        #expect(try ring.keyFiles() == keys, "a key has changed", sourceLocation: place)
    }

    @Test("What is sealed opens in another program, and in no clear form", arguments: KeyKind.allCases)
    func opens(kind: KeyKind) async throws {
        let ring = try KeyRing(kind)
        let store = try await ring.store(), flow = try await Self.seal(in: store)
        try await store.close()
        let other = try await ring.store()
        #expect(try await Self.open(flow, in: other) == "four unrelated words")
        // No file may come or go while they are looked through.
        try await other.close()
        #expect(try ring.folder.occurrences(of: Array("four unrelated words".utf8)) == [])
        #expect(try ring.folder.occurrences(of: Array(KeyRing.passphrase.utf8)) == [])
    }

    @Test("Nobody asks for a key before it is needed", arguments: KeyKind.allCases)
    func late(kind: KeyKind) async throws {
        let ring = try KeyRing(kind)
        let first = try await ring.store()
        _ = try await first.unfinishedFlows()
        #expect(ring.asked == [])
        let flow = try await Self.seal(in: first)
        #expect(ring.asked == (kind == .passphrase ? [.enter] : []))
        let second = try await ring.store()
        let found = try #require(try await second.flow(flow))
        #expect(found.answers.first?.usableUntil != nil, "a key that is locked is not lost")
        #expect(ring.asked.count == (kind == .passphrase ? 1 : 0))
        _ = try await Self.open(flow, in: second)
        _ = try await Self.open(flow, in: second)
        #expect(ring.asked.count == (kind == .passphrase ? 2 : 0))
    }

    @Test("Where there is no key yet, one is made by those who can; the others say so", arguments: KeyKind.allCases)
    func absent(kind: KeyKind) async throws {
        let ring = try KeyRing(kind, isThere: false)
        _ = try await ring.store()
        guard kind.canMake else {
            return try await Self.expect(.keyMissing, in: ring) { _ = try await Self.seal(in: $0) }
        }
        let flow = try await Self.seal(in: try await ring.store())
        #expect(try await Self.open(flow, in: try await ring.store()) != nil)
        #expect(try ring.keyFiles().keys.sorted() == ["foyer-key"])
        #expect(ring.asked == (kind == .passphrase ? [.choose, .enter] : []))
    }

    @Test("A key that is gone is missed, never made again, and right when it is back", arguments: KeyKind.allCases)
    func missing(kind: KeyKind) async throws {
        let ring = try KeyRing(kind)
        let flow = try await Self.seal(in: try await ring.store())
        let putBack = try ring.take()
        for _ in 0..<2 {
            try await Self.expect(.keyMissing, in: ring) { _ = try await Self.open(flow, in: $0) }
            try await Self.expect(.keyMissing, in: ring) { _ = try await Self.seal(in: $0) }
            try await Self.expect(.keyMissing, in: ring) { _ = try await $0.rotateKey() }
        }
        try putBack()
        #expect(try await Self.open(flow, in: try await ring.store()) == "four unrelated words")
    }

    @Test("Another key in its place is found out, whatever it is used for", arguments: KeyKind.allCases)
    func wrong(kind: KeyKind) async throws {
        let ring = try KeyRing(kind)
        let flow = try await Self.seal(in: try await ring.store())
        let asked = ring.asked
        try ring.putAnother()
        try await Self.expect(.wrongKey, in: ring) { _ = try await Self.open(flow, in: $0) }
        try await Self.expect(.wrongKey, in: ring) { _ = try await Self.seal(in: $0) }
        try await Self.expect(.wrongKey, in: ring) { _ = try await $0.rotateKey() }
        #expect(ring.asked == asked, "nobody was asked for the passphrase of a key that is the wrong one")
    }

    @Test("A key is changed by those who can; the others say that a new one has to come", arguments: KeyKind.allCases)
    func rotate(kind: KeyKind) async throws {
        let ring = try KeyRing(kind)
        let flow = try await Self.seal(in: try await ring.store())
        guard kind.canMake else {
            return try await Self.expect(.cannotCreate, in: ring) { _ = try await $0.rotateKey() }
        }
        let before = try ring.keyFiles()
        #expect(try await ring.store().rotateKey() == 1)
        #expect(try ring.keyFiles().keys.sorted() == ["foyer-key"])
        #expect(try ring.keyFiles() != before)
        #expect(try await Self.open(flow, in: try await ring.store()) == "four unrelated words")
    }

    @Test("A lost key is given up on request alone, for the one that is there then", arguments: KeyKind.allCases)
    func reset(kind: KeyKind) async throws {
        let ring = try KeyRing(kind)
        let flow = try await Self.seal(in: try await ring.store())
        try await Self.expect(.notFound, in: ring) { _ = try await $0.resetKey() }
        try ring.putAnother()
        #expect(try await ring.store().resetKey() == KeyLoss(flows: 1, submissions: 0))
        #expect(await code { _ = try await Self.open(flow, in: try await ring.store()) } == .secretGone)
        let next = try await Self.seal(in: try await ring.store())
        #expect(try await Self.open(next, in: try await ring.store()) == "four unrelated words")
    }

    @Test(
        "The check of a store names what keeps its key, and tells a right one from a wrong or a missing one",
        arguments: KeyKind.allCases)
    func examined(kind: KeyKind) async throws {
        let ring = try KeyRing(kind)
        func finding() async throws -> Finding {
            let tie = try await ring.store().read { try Vault.Tie(in: $0) }
            return await KeyCheck(tie: tie).finding(for: try ring.provider(), database: ring.database)
        }
        let title = try ring.provider().title.prefix { $0 != "/" && !$0.isNumber }
        #expect(try await finding().isFine)
        _ = try await Self.seal(in: try await ring.store())
        let fine = try await finding()
        #expect(fine.isFine && fine.message.contains(title))
        let putBack = try ring.take()
        let missing = try await finding()
        #expect(!missing.isFine && missing.message.contains("missing"))
        try putBack()
        try ring.putAnother()
        let wrong = try await finding()
        #expect(!wrong.isFine && wrong.message.contains("another store"))
    }
}
