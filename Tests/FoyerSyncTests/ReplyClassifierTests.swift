import FoyerModel
import Testing

@testable import FoyerSync

@Suite struct ReplyClassifierTests {
    /// What becomes of a submission, without the words.
    enum Class: Equatable {
        case accepted, rejected, strike, patience, unsent, parked

        init(_ reply: ReplyClass) {
            self =
                switch reply {
                case .accepted: .accepted
                case .rejected: .rejected
                case .transient(_, _, true, _): .unsent
                case .transient(_, true, false, _): .strike
                case .transient(_, false, false, _): .patience
                case .parked: .parked
                }
        }
    }

    private static let acceptance = #"{"schema":1,"user":{"id":"r1"},"verdict":"accepted"}"#
    private static let problem = #"{"errors":[{"field":"user_name","code":"taken"}]}"#

    private func classify(_ status: Int, _ body: String, retryAfter: String? = nil) -> ReplyClass {
        ReplyClassifier.classify(
            .success(NetworkReply(status: status, body: Array(body.utf8), retryAfter: retryAfter)))
    }

    /// The class of a status whose body says nothing.
    private func bare(_ status: Int, retryAfter: Bool) -> Class {
        switch status {
        case 100...399: .strike
        case 401, 407, 511: .patience
        case 409: retryAfter ? .patience : .parked
        case 408, 425: .strike
        case 429, 502, 503, 504, 520...529: .patience
        case 501, 505: .parked
        case 500...599: .strike
        default: .parked
        }
    }

    @Test("every status has its one class, with and without a body and Retry-After", arguments: 100...599)
    func statuses(status: Int) {
        let refusing: Set = [403, 409, 412, 422, 423, 428]
        let accepting: Set = [200, 201]
        for retryAfter in [nil, "7"] {
            let bare = bare(status, retryAfter: retryAfter != nil)
            for body in ["", "<html>Log in here</html>", "{}", #"{"type":"/problems/key-reuse","errors":null}"#] {
                #expect(Class(classify(status, body, retryAfter: retryAfter)) == bare, "\(body)")
            }
            #expect(
                Class(classify(status, Self.acceptance, retryAfter: retryAfter))
                    == (accepting.contains(status) ? .accepted : bare))
            #expect(
                Class(classify(status, Self.problem, retryAfter: retryAfter))
                    == (refusing.contains(status) ? .rejected : bare))
        }
    }

    @Test("a status that HTTP does not know has a class too", arguments: [Int.min, -1, 0, 99, 600, 999, Int.max])
    func impossible(status: Int) {
        #expect(Class(classify(status, Self.acceptance)) == .parked || status == 99)
    }

    @Test("what never left is unsent, what was cut off may have arrived")
    func failures() {
        #expect(Class(ReplyClassifier.classify(.failure(.unreachable("no route")))) == .unsent)
        #expect(
            ReplyClassifier.classify(.failure(.interrupted("timeout")))
                == .transient(reason: "timeout", isStrike: true, isUnsent: false, retryAfter: nil))
    }

    @Test(
        "an acceptance is taken with what it tells of the person, and with what it adds",
        arguments: [
            (acceptance, "r1"), (#"{"schema":1,"verdict":"accepted"}"#, nil),
            (#"{"schema":1,"verdict":"accepted","user":null}"#, nil),
            (#"{"schema":1,"verdict":"accepted","user":{}}"#, nil),
            (#" {"verdict":"accepted","schema":1,"new":[1,{}],"user":{"id":"r1","x":1}} "#, "r1"),
        ])
    func accepted(body: String, id: String?) {
        #expect(classify(200, body) == .accepted(remoteID: id))
    }

    @Test(
        "nothing but a whole acceptance of our schema is one",
        arguments: [
            "", " ", "null", "[]", "true", "accepted", #""accepted""#, "{}", #"{"schema":1}"#,
            #"{"schema":1,"verdict":"rejected"}"#, #"{"schema":1,"verdict":"Accepted"}"#,
            #"{"schema":1,"verdict":true}"#, #"{"schema":1,"verdict":["accepted"]}"#, #"{"verdict":"accepted"}"#,
            #"{"schema":2,"verdict":"accepted"}"#, #"{"schema":"1","verdict":"accepted"}"#,
            #"{"schema":1,"verdict":"accepted","user":{"id":7}}"#, #"{"schema":1,"verdict":"accepted","user":"r1"}"#,
            #"{"schema":1,"verdict":"accepted""#, #"{"schema":1,"verdict":"accepted"}}"#,
            #"{"schema":1,"verdict":"accepted"} {}"#, "<html>accepted</html>",
        ])
    func notAccepted(body: String) {
        #expect(Class(classify(200, body)) == .strike)
        #expect(Class(classify(201, body)) == .strike)
    }

    @Test("an acceptance that was cut anywhere is none")
    func truncated() {
        for length in 0..<Self.acceptance.utf8.count {
            #expect(Class(classify(201, String(Self.acceptance.prefix(length)))) == .strike)
        }
    }

    @Test("bytes that are no text are no verdict")
    func garbage() {
        for bytes: [UInt8] in [[0xFF, 0xFE], [0], Array(repeating: 0x5B, count: 100_000), [0xC0, 0x80]] {
            let reply = ReplyClassifier.classify(.success(NetworkReply(status: 200, body: bytes)))
            #expect(Class(reply) == .strike)
        }
    }

    @Test("a name that stands twice in an answer never makes two verdicts of it", arguments: [200, 422])
    func duplicates(status: Int) {
        let body = #"{"schema":1,"verdict":"rejected","verdict":"accepted","errors":[],"errors":[]}"#
        let classes = Set((0..<20).map { _ in "\(Class(classify(status, body)))" })
        #expect(classes.count == 1)
    }

    @Test("an answer that is too long is not read")
    func oversize() {
        let fill = String(repeating: " ", count: ReplyClassifier.maximumBody - Self.acceptance.utf8.count)
        #expect(Class(classify(201, Self.acceptance + fill)) == .accepted)
        #expect(Class(classify(201, Self.acceptance + fill + " ")) == .strike)
        #expect(Class(classify(422, Self.problem + fill + fill)) == .parked)
    }

    @Test(
        "a refusal names fields, or it is a mistake of ours",
        arguments: [
            #"{"errors":[]}"#, #"{"errors":{}}"#, #"{"errors":[{}]}"#, #"{"errors":[{"field":"user_name"}]}"#,
            #"{"errors":[{"field":1,"code":"taken"}]}"#, #"{"errors":"taken"}"#, "[]",
        ])
    func notRejected(body: String) {
        #expect(Class(classify(422, body)) == .parked)
    }

    @Test("a refusal tells all its fields, in the server's order, and may say more")
    func refusedFields() {
        let body = #"{"type":"x","errors":[{"field":"b","code":"1","message":"m","x":0},{"field":"a","code":"2"}]}"#
        #expect(classify(422, body) == .rejected([.init(field: "b", code: "1"), .init(field: "a", code: "2")]))
    }

    @Test(
        "Retry-After is taken in seconds, from none to a day",
        arguments: [
            ("0", 0), ("7", 7), ("86400", 86400), ("86401", 86400), ("315360000", 86400), ("-5", 0), ("", nil),
            ("soon", nil), ("1.5", nil), ("Sat, 21 Nov 2026 07:44:07 GMT", nil),
        ] as [(String, Int?)])
    func retryAfter(text: String, seconds: Int?) {
        guard case .transient(_, _, _, let retryAfter) = classify(503, "", retryAfter: text) else {
            Issue.record("503 is not transient")
            return
        }
        #expect(retryAfter == seconds.map { .seconds($0) })
    }

    @Test("no class repeats what a server wrote: it could be anything")
    func words() {
        for status in 100...599 {
            let reply = "\(classify(status, #"{"errors":"CANARY","verdict":"CANARY"}"#, retryAfter: "CANARY"))"
            #expect(!reply.contains("CANARY"))
        }
    }
}
