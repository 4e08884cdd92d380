import FoyerModel
import Testing

@testable import FoyerStore

@Suite struct OfflineThrottleTests {
    private let now = Timestamp(milliseconds: 1_000_000)

    @Test("Four wrong passwords are free, then each makes the next wait longer; after ten nothing is tried")
    func waits() {
        let waits = [0, 0, 0, 0, 30, 60, 300, 900, 3600, 3600]
        for (count, wait) in waits.enumerated() {
            let decision = OfflineThrottle.decide(count: Int64(count), lockedUntil: now, at: now)
            #expect(decision == .attempt(count: Int64(count + 1), lockedFor: .seconds(wait)))
        }
        for count in [10, 11, Int64.max] {
            #expect(OfflineThrottle.decide(count: count, lockedUntil: now, at: now) == .exhausted)
        }
        #expect(
            OfflineThrottle.decide(count: -5, lockedUntil: now, at: now) == .attempt(count: 1, lockedFor: .zero))
    }

    @Test("Until its time nothing is tried")
    func locked() {
        #expect(
            OfflineThrottle.decide(count: 5, lockedUntil: now + .seconds(30), at: now + .seconds(1))
                == .locked(.seconds(29)))
    }

    @Test(
        "A verifier that is none, or asks for too much work, is not used",
        arguments: [
            "", "$", "$argon2id$", "$2b$12$abcdefghijklmnopqrstuu", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA",
            "$argon2id$v=16$m=8,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=4294967296,t=1,p=1$AAAA$AAAA",
            "$argon2id$v=19$m=65536,t=4294967296,p=1$AAAA$AAAA", "$argon2id$v=19$m=1048577,t=1,p=1$AAAA$AAAA",
            "$argon2id$v=19$m=8,t=11,p=1$AAAA$AAAA", "$argon2id$v=19$m=8,t=0,p=1$AAAA$AAAA",
            "$argon2id$v=19$m=8,t=1,p=2$AAAA$AAAA", "$argon2id$v=19$m=8,t=1,p=1$$AAAA",
            "$argon2id$v=19$m=8,t=1,p=1$AAAA",
            "$argon2id$v=19$m=+8,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=,t=1,p=1$AAAA$AAAA",
            "$argon2id$v=19$t=1,m=8,p=1$AAAA$AAAA", "$argon2id$v=19$m=99999999999999999999,t=1,p=1$AAAA$AAAA",
            "$argon2id$v=19$m=8,t=1,p=1$" + String(repeating: "A", count: 200) + "$AAAA",
        ])
    func unbearable(text: String) {
        #expect(PasswordVerifier.work(of: Secret(text)) == nil)
    }

    @Test("A verifier matches its own password alone, and the dummy none, after as much work")
    func verifiers() async throws {
        let work = Argon2Parameters(passes: 2, kibibytes: 16)
        let verifier = try await PasswordVerifier.make(of: Secret("four unrelated words"), work: work)
        #expect(PasswordVerifier.work(of: verifier) == work)
        #expect(await PasswordVerifier.matches(Secret("four unrelated words"), verifier))
        for other in ["four unrelated word", "four unrelated words ", ""] {
            #expect(await !PasswordVerifier.matches(Secret(other), verifier))
        }
        let dummy = PasswordVerifier.dummy(work)
        #expect(PasswordVerifier.work(of: dummy) == work)
        #expect(await !PasswordVerifier.matches(Secret(""), dummy))
    }
}
