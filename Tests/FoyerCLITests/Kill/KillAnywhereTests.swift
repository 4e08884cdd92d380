import Foundation
import Glibc
import TestSupport
import Testing

/// Wherever the whole program is killed, the next one goes on as if nothing had happened.
@Suite(.disabled(if: isSanitized), .timeLimit(.minutes(3))) struct KillAnywhereTests {
    private static let records = Dictionary(
        uniqueKeysWithValues: GoldenStory.all.map { story in
            (story.name, Task { try await KilledStory.uninterrupted(story) })
        })

    private static func record(_ story: GoldenStory) async throws -> KilledStory.Record {
        try await #require(records[story.name]).value
    }

    @Test(
        "Killed after any input, the program comes back where it was, and ends as if it had not been",
        arguments: GoldenStory.all)
    func answered(story: GoldenStory) async throws {
        let record = try await Self.record(story)
        for count in 0...story.inputs.count {
            try await KilledStory.tell(story, killedAt: .answered(count), against: record)
        }
    }

    @Test(
        "Killed with any input on its way, that input is wholly there or wholly absent",
        arguments: GoldenStory.all)
    func unanswered(story: GoldenStory) async throws {
        let record = try await Self.record(story)
        for count in 0..<story.inputs.count {
            try await KilledStory.tell(story, killedAt: .unanswered(count), against: record)
        }
    }

    @Test(
        "Killed before one of the calls that change a file, all over the story, it ends as if it had not been",
        arguments: GoldenStory.all)
    func atCalls(story: GoldenStory) async throws {
        let record = try await Self.record(story)
        var number = 1, kills = 0
        while true {
            let point = try await KillPoint(number: number)
            try await KilledStory.tell(story, killedAt: .at(point), against: record)
            guard try point.wasReached else { break }
            kills += 1
            number += 13
        }
        #expect(kills > 5)
    }

    @Test(
        "At a terminal it is the same",
        arguments: [
            (GoldenStory.setup, [1, 5, 7, 8]), (.login, [1, 4, 5]), (.forgotPassword, [4, 6]),
        ])
    func atTerminal(story: GoldenStory, kills: [Int]) async throws {
        let record = try await Self.record(story)
        for count in kills {
            let household = try await KilledStory.household(for: story)
            let first = try household.terminal(["app"] + story.start + story.options)
            for input in story.inputs[..<count] { try await first.type(input.lines) }
            try await first.expect(story.inputs[count].lines.first?.prompt ?? "")
            first.signal(SIGKILL)
            #expect(try await first.wait() == .signal(SIGKILL))
            let rest = try await KilledStory.tell(story, killedAt: .answered(count), against: record).resent
            let second = try household.terminal(["app"] + story.options)
            for input in rest { try await second.type(input.lines) }
            try await second.expect(story.lastPrompt)
            try second.send("\u{4}")
            #expect(try await second.wait() == .code(story.exit))
            #expect(try await household.remains() == record.end, "\(story.name) \(count)")
            try await household.checkInvariants()
        }
    }

    @Test(
        "The stories are those of the transcripts: what they show is there, in that order, to the end",
        arguments: GoldenStory.all)
    func transcripts(story: GoldenStory) async throws {
        var transcript = try packageFile("Tests/FoyerCLITests/Golden/\(story.name).txt")[...]
        func find(_ text: String) {
            guard let found = transcript.range(of: text) else {
                Issue.record("\(text) does not follow in the transcript")
                return
            }
            transcript = transcript[found.upperBound...]
        }
        let lines = try await Self.record(story).lines
        #expect(lines.count == story.inputs.count + 1)
        for (position, line) in lines.enumerated() {
            let content = try JSONPresenterTests.Shown(line).screen()["content"] as? [String: Any] ?? [:]
            for text in (content["text"] as? String ?? "").split(separator: "\n") { find(String(text)) }
            let fields = content["fields"] as? [[String: Any]] ?? []
            let values = position < story.inputs.count ? story.inputs[position].values : []
            if values.isEmpty, let label = fields.first?["label"] as? String { find(label) }
            for (field, value) in zip(fields, values) {
                find(field["label"] as? String ?? "")
                if field["isSecret"] as? Bool == false, value.text != "" { find(value.text) }
            }
        }
        #expect(transcript.split(separator: "\n").count < 5, "the transcript goes on: \(transcript)")
    }
}
