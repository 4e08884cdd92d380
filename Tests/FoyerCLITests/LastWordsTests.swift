import Foundation
import Foyer
import TestSupport
import Testing

@testable import FoyerCLI

/// What a flow's command says at its end, for every state in which it can find the store.
@MainActor
@Suite struct LastWordsTests {
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)
    private static let environment = FoyerEnvironment.system
    private static let options = (try? Options(Settings.ofLooks(), [])) ?? nil

    private static func flow(_ status: SavedFlow.Status, _ kind: FlowKind = .register) -> SavedFlow {
        SavedFlow(
            id: environment.makeID(), kind: kind, path: "register", status: status, fingerprint: "", step: nil,
            revision: 5, userID: nil, submissionID: environment.makeID(), createdAt: now, updatedAt: now, expiresAt: nil
        )
    }

    private static func submission(
        _ state: Submission.State, why: String? = "due now", isCancelWanted: Bool = false
    ) -> Submission {
        Submission(
            id: environment.makeID(), seq: 1, flowID: nil, userID: nil, kind: .register, endpoint: "mock", lane: "",
            state: state, expiresAt: nil, claims: 1, failures: 0, workerDeaths: 0, maybeSent: true,
            isCancelWanted: isCancelWanted, httpStatus: nil, lastError: nil, createdAt: now, settledAt: nil, why: why)
    }

    private static func attempt(status: Int?) -> Submission.Attempt {
        Submission.Attempt(
            fence: 1, worker: "", task: "submit", startedAt: now, endedAt: now, outcome: "parked", httpStatus: status,
            error: nil)
    }

    /// The exit code, and all that is said.
    private func end(
        _ ending: LastWords.Ending, _ found: SavedRecord, wasSaved: Bool = true
    ) throws -> (exit: ExitCode, words: String, isError: Bool) {
        let options = try #require(Self.options)
        switch LastWords(ending, found, wasSaved: wasSaved, options) {
        case .told(let exit, let data, let words): return (exit, ([data].compactMap { $0 } + words).joined(), false)
        case .failed(let failure): return (failure.exit, failure.message, true)
        }
    }

    @Test("It never says that something is saved that the store does not hold", arguments: LastWords.Ending.allCases)
    func gone(ending: LastWords.Ending) throws {
        for flow in [nil, Self.flow(.submitted)] {
            let (exit, words, isError) = try end(ending, SavedRecord(flow: flow))
            guard ending != .givenUp || flow != nil else {
                #expect(exit == .done && words.hasPrefix("Given up."))
                continue
            }
            #expect(exit == .nothingThere && isError && words.contains("erased") && !words.contains("Saved"))
        }
        let (exit, words, isError) = try end(ending, SavedRecord(), wasSaved: false)
        #expect(!isError && exit == (ending == .givenUp ? .done : .saved) && !words.contains("Saved"))
    }

    @Test("What was ended elsewhere is said, and is no success", arguments: LastWords.Ending.allCases)
    func endedElsewhere(ending: LastWords.Ending) throws {
        for (status, word) in [(SavedFlow.Status.cancelled, "given up elsewhere"), (.expired, "expired")] {
            let found = SavedRecord(
                flow: Self.flow(status), submission: Self.submission(.ended(.cancelled, reason: nil)))
            let (exit, words, isError) = try end(ending, found)
            if ending == .givenUp, status == .cancelled {
                #expect(exit == .done && !isError)
            } else {
                #expect(exit == .failed && isError && words.contains(word))
            }
        }
    }

    @Test("What the network has accepted is done, whoever delivered it", arguments: LastWords.Ending.allCases)
    func finished(ending: LastWords.Ending) throws {
        let user = User(
            id: Self.environment.makeID(), userName: "ada", status: .active, createdAt: Self.now, updatedAt: Self.now)
        for (kind, words) in [
            (FlowKind.register, "Registered ada"), (.login, "Signed in as ada"),
            (.reset, "If that address has an account"),
        ] {
            let found = SavedRecord(
                flow: Self.flow(.finished, kind), submission: Self.submission(.ended(.accepted, reason: nil)),
                user: user)
            let end = try end(ending, found)
            #expect(end.exit == .done && end.words.hasPrefix(words) && end.words.contains("Next: `foyer "))
        }
        #expect(try end(ending, SavedRecord(flow: Self.flow(.finished))).words.hasPrefix("Registered somebody"))
    }

    @Test("The last words on an open flow name the command that continues or sends it")
    func anOpenFlowIsContinued() throws {
        for ending in [LastWords.Ending.inputEnded, .answered, .givenUp] {
            let (exit, words, _) = try end(ending, SavedRecord(flow: Self.flow(.open)))
            #expect(exit == .saved && words == "Saved. `foyer resume` continues.")
        }
        let (exit, words, _) = try end(.reviewed, SavedRecord(flow: Self.flow(.open)))
        #expect(exit == .saved && words.contains("`foyer resume --yes` sends it."))
    }

    @Test("What waits says why, and what parks says what a person can do")
    func waiting() throws {
        func end(_ submission: Submission, _ attempt: Submission.Attempt? = nil) throws -> (ExitCode, String) {
            let found = SavedRecord(flow: Self.flow(.submitted), submission: submission, lastAttempt: attempt)
            let end = try self.end(.answered, found)
            return (end.exit, end.words)
        }
        let plain = "Saved. The network has not decided yet; `foyer sync` delivers."
        #expect(try end(Self.submission(.ready(due: Self.now))) == (.saved, plain))
        #expect(
            try end(
                Self.submission(
                    .sending(.init(worker: WorkerID("7-x"), until: Self.now), begun: true),
                    why: "leased by 7-x for 40 s")) == (.saved, plain))
        #expect(
            try end(Self.submission(.ready(due: Self.now), why: "due in 9 s: The key is missing."))
                == (
                    .saved,
                    "Saved. The network has not decided yet (due in 9 s: The key is missing.); "
                        + "`foyer sync` delivers."
                ))
        #expect(
            try end(Self.submission(.ready(due: Self.now), isCancelWanted: true)).1.contains("asks it to refuse it"))
        for (status, exit) in [(400, ExitCode.brokenContract), (nil, .saved)] {
            let parked = Self.submission(.parked(reason: "the network answered 400"))
            let (code, words) = try end(parked, Self.attempt(status: status))
            #expect(code == exit && words.hasPrefix("Saved, but parked: the network answered 400."))
            for command in ["show", "retry", "cancel"] { #expect(words.contains("`foyer outbox \(command) ")) }
            #expect(!words.contains("`foyer sync`"))
        }
    }
}
