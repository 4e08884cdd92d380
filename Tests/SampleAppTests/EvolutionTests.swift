import Glibc
import TestSupport
import Testing

/// Somebody registers while the app is updated and rolled back: two builds with different steps work on one file.
@Suite(.timeLimit(.minutes(3))) struct EvolutionTests {
    @Test(
        "Interrupted in one build, resumed in the other, rolled back, finished: one account, nothing asked twice unsaid",
        arguments: Version.allCases, 0...6)
    func rolledBack(first: Version, answers: Int) async throws {
        for ending in Ending.allCases {
            var finished: Set<Version> = []
            for more in 0...7 {
                let country = more.isMultiple(of: 2) ? "SE" : "GB"
                var story = try Story(country: country)
                try await story.visit(first, answers: answers, then: ending)
                try await story.visit(first.other, answers: more, then: ending)
                let isFinished = try await story.isFinished
                try await story.visit(first)
                try await story.endsWithOneAccount()
                finished.insert(isFinished ? first.other : first)
                // All answers were given in the second build: more of them change nothing.
                if isFinished { break }
            }
            // An answer that was on its way may have been the last one.
            #expect(finished == Set(Version.allCases) || ending == .killInTheAnswer)
        }
    }

    @Test("What today's build does with yesterday's answers is said in words, and undone by the rollback")
    func report() async throws {
        let installation = try Installation()
        let before = try await installation.visit(.yesterday, answers: 6)
        #expect(before.exit == .code(75) && before.report == [])
        #expect(before.asked == ["email", "userName", "referral", "company", "password", "firstName", "lastName"])

        let today = try await installation.visit(.today, answers: 1, then: .kill)
        #expect(today.asked == ["email", "country"])
        #expect(
            today.report == [
                "Email Address: The part before the @ contains a character that is not possible there. "
                    + "Enter just the address, like ada@example.org.",
                "Country: not asked before.", "Last Name: not asked before.",
                "First Name: your answer was brought up to date.",
                "Company: not asked now; your answer is kept, and not sent.",
                "referral: this question is not asked any more; your answer is kept aside.",
            ])
        #expect(try await installation.rows("SELECT step FROM flow_steps WHERE kept = 'aside'") == ["referral"])

        let back = try await installation.visit(.yesterday)
        #expect(back.exit == .code(0) && back.asked == ["lastName"] && back.report == [])
        #expect(try await installation.rows("SELECT step FROM flow_steps WHERE kept = 'aside'") == [])
        #expect(try await installation.accounts() == ["ada@example.org|ada_l|ada|Lovelace"])
        let sent = try await installation.rows("SELECT body FROM submissions").joined()
        #expect(sent.contains(#""referral":"Charles""#) && sent.contains(#""company":"Engines""#))
    }
}

/// One registration over several runs of both builds, and what must be true of each run and of the end.
private struct Story {
    private let installation: Installation
    private let country: String
    /// The steps under which each field was answered, as far as it was acknowledged.
    private var answered: [String: Set<String>] = [:]
    /// The texts of which each field must have one in the end.
    private var texts: [String: [String]] = [:]
    private var steps: [String] = []
    /// The build that has made the submission, unless there is none yet.
    private var finisher = Version.yesterday

    init(country: String) throws {
        installation = try Installation()
        self.country = country
    }

    var isFinished: Bool {
        get async throws { try await installation.rows("SELECT status FROM flows") == ["finished"] }
    }

    /// Runs a build, unless the registration is finished, and checks that no answer is asked twice without a reason.
    mutating func visit(_ version: Version, answers count: Int = .max, then ending: Ending = .endOfInput) async throws {
        let status = try await installation.rows("SELECT status FROM flows")
        guard status != ["finished"] else { return }
        let visit = try await installation.visit(version, answers: count, then: ending, country: country)
        steps.append("\(version) \(ending): \(visit.asked) \(visit.report)")
        if status != ["submitted"] { finisher = version }
        let isFinished = visit.asked.count == visit.answered.count
        let cut = ending == .endOfInput ? Exit.code(75) : .signal(SIGKILL)
        let isDone = isFinished || visit.unacknowledged != nil && visit.exit == .code(0)
        #expect(visit.exit == (isDone ? .code(0) : cut), "\(self)")
        for step in visit.asked {
            guard let asked = Asked(step), let before = answered[asked.field] else { continue }
            let names = [asked.label] + before
            let isSaid = visit.report.contains { sentence in names.contains { sentence.hasPrefix("\($0): ") } }
            #expect(isSaid, "\(step) is asked twice\n\(self)")
        }
        #expect(Set(visit.asked).count == visit.asked.count, "\(self)")
        for step in visit.answered { note(step, version, isAcknowledged: true) }
        if let step = visit.unacknowledged { note(step, version, isAcknowledged: false) }
    }

    private mutating func note(_ step: String, _ version: Version, isAcknowledged: Bool) {
        guard let asked = Asked(step) else { return }
        let text = version.answer(to: step, country: country)
        guard isAcknowledged else {
            texts[asked.field, default: []].append(text)
            return
        }
        answered[asked.field, default: []].insert(step)
        texts[asked.field] = [text]
    }

    func endsWithOneAccount() async throws {
        let rows = try await installation.rows(
            """
            SELECT 'flow', status FROM flows; SELECT 'submission', state FROM submissions;
            SELECT 'person', status FROM users; SELECT 'secrets', count(*) FROM secrets
            """)
        #expect(rows == ["flow|finished", "submission|accepted", "person|active", "secrets|0"], "\(self)")
        let account = try await installation.accounts()
        #expect(account.count == 1, "\(self)")
        let values = account.first?.split(separator: "|").map { String($0) } ?? []
        for (field, value) in zip(["email_field", "user_name", "first_name", "last_name"], values) {
            // Today's build brings an older first name up to date.
            let expected = texts[field, default: []].map { finisher == .today && $0 == "ada" ? "Ada" : $0 }
            #expect(expected.contains(value), "\(field) is \(value), not \(expected)\n\(self)")
        }
        // What only one build asks is sent by that build, also when the other had set it aside meanwhile.
        let sent = try await installation.rows("SELECT body FROM submissions").joined()
        #expect(sent.contains(#""referral":"Charles""#) == (finisher == .yesterday), "\(self)")
        #expect(sent.contains(#""country":"\#(country)""#) == (finisher == .today), "\(self)")
        #expect(sent.contains(#""company":"#) == (finisher == .yesterday || country == "SE"), "\(self)")
    }
}

extension Story: CustomStringConvertible {
    var description: String { steps.joined(separator: "\n") }
}
