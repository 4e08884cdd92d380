import FoyerModel
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct SubmissionBodyTests {
    private struct Body: Decodable, Equatable {
        struct Plain: Decodable, Equatable {
            let mode: String
            let text: String
        }
        let schema: Int
        let fields: [String: String]
        let secrets: [String: Plain]?
    }

    @Test("The stored body has its keys sorted and no spaces, and is the same each time")
    func stored() {
        let fields = ["user_name": "ada", "email_field": "ada@example.org", "last_name": "L", "first_name": "A"]
        let body =
            #"{"fields":{"email_field":"ada@example.org","first_name":"A","last_name":"L","user_name":"ada"},"#
            + #""schema":1}"#
        for _ in 0..<20 {
            #expect(SubmissionBody.stored(fields: Dictionary(uniqueKeysWithValues: fields.shuffled())) == body)
        }
        #expect(SubmissionBody.stored(fields: [:]) == #"{"fields":{},"schema":1}"#)
    }

    @Test("A secret that is sealed for the server goes out as its box, beside those that are not")
    func sealed() {
        let secrets = ["password": Secret(box: [0, 0xFF, 0x80], sealedTo: "k\"7"), "answer": Secret("42")]
        let wanted =
            #"{"fields":{},"schema":1,"secrets":{"answer":{"mode":"plain","text":"42"},"#
            + #""password":{"box":"AP+A","key_id":"k\"7","mode":"server"}}}"#
        let sent = SubmissionBody.sent(SubmissionBody.stored(fields: [:]), plainSecrets: secrets)
        #expect(String(revealing: sent) == wanted)
    }

    @Test("The secrets are spliced in at the end, sorted, and the bytes are the same each time")
    func sent() {
        let stored = SubmissionBody.stored(fields: ["a": "1"])
        let secrets = ["password": Secret("pw"), "answer": Secret("42")]
        let wanted =
            #"{"fields":{"a":"1"},"schema":1,"secrets":{"#
            + #""answer":{"mode":"plain","text":"42"},"password":{"mode":"plain","text":"pw"}}}"#
        for _ in 0..<20 {
            let body = SubmissionBody.sent(stored, plainSecrets: Dictionary(uniqueKeysWithValues: secrets.shuffled()))
            #expect(String(revealing: body) == wanted)
        }
    }

    @Test("Without secrets the body is sent as it is stored")
    func nothingToSplice() {
        let stored = SubmissionBody.stored(fields: ["a": "1"])
        #expect(SubmissionBody.sent(stored, plainSecrets: [:]).isText(stored))
    }

    private static let texts: [String] =
        (0...0x20).compactMap { Unicode.Scalar($0) }.map { "a\(Character($0))b" }
        + [
            "", "\"", "\\", "\"\\\"", "\\u0041", "/", "</script>", "\u{7F}", "ä", "e\u{301}", "€", "😀", "👨‍👩‍👧",
            "\u{2028}\u{2029}", "\u{FEFF}", "\u{FFFD}", "{}", #"","schema":2,"#, "\r\n", "日本語", "\u{10FFFF}",
        ]

    @Test("Any text comes out of the JSON as it went in, as a field and as a secret", arguments: texts)
    func escaping(text: String) throws {
        let stored = SubmissionBody.stored(fields: ["field": text, text + "key": "value"])
        let sent = SubmissionBody.sent(stored, plainSecrets: ["password": Secret(text)])
        let decoded = try sent.withBytes { try JSONDecoder().decode(Body.self, from: Data($0)) }
        #expect(decoded.schema == 1)
        #expect(decoded.fields["field"].map { Array($0.utf8) } == Array(text.utf8))
        #expect(decoded.fields[text + "key"] == "value")
        #expect(decoded.secrets?["password"]?.mode == "plain")
        #expect(decoded.secrets.map { $0["password"].map { Array($0.text.utf8) } } == Array(text.utf8))
        #expect(stored.utf8.allSatisfy { $0 >= 0x20 }, "no control character stands in the body as it is")
    }

    @Test("Only what JSON asks for is escaped")
    func minimal() {
        let body = SubmissionBody.stored(fields: ["a": "ä/\u{7F}\"\\\n\u{1}"])
        #expect(body == #"{"fields":{"a":"ä/"# + "\u{7F}" + #"\"\\\u000a\u0001"},"schema":1}"#)
    }
}

@Suite struct SubmissionKindTests {
    @Test(
        "The kind says how long a submission may wait",
        arguments: [(.register, 14 * 86400), (.login, 15 * 60), (.reset, 14 * 86400)] as [(FlowKind, Int)])
    func lifetimes(kind: FlowKind, seconds: Int) {
        #expect(kind.submissionLifetime == .seconds(seconds))
    }

    @Test("The words for the kinds are those of the wire")
    func words() {
        #expect(FlowKind.allCases.map(\.rawValue) == ["register", "login", "reset"])
    }

    @Test("A submission is live until it has ended, and each of its states has a name of its own")
    func live() {
        let now = Timestamp(milliseconds: 0)
        let live: [Submission.State] = [
            .ready(due: now), .sending(.init(worker: WorkerID("one"), until: now), begun: true),
            .parked(reason: "help"),
        ]
        let ended = [Submission.State.Ending.accepted, .rejected, .cancelled, .expired]
            .map { Submission.State.ended($0, reason: nil) }
        #expect(live.allSatisfy(\.isLive) && !ended.contains(where: \.isLive))
        #expect((live + ended).map(\.name) == Submission.State.Name.allCases)
    }

    @Test("A flow is unfinished while it is open or submitted", arguments: SavedFlow.Status.allCases)
    func unfinished(status: SavedFlow.Status) {
        #expect(status.isUnfinished == [.open, .submitted].contains(status))
    }
}
