import FoyerModel
import FoyerTestSupport
import Testing

@testable import FoyerSync

@Suite struct ReplyClassifierTests {
    private static let acceptance = #"{"schema":1,"user":{"id":"r1"},"verdict":"accepted"}"#
    private static let problem = #"{"errors":[{"field":"user_name","code":"taken"}]}"#

    private func classify(
        _ status: Int, _ body: String, type: String? = nil, retryAfter: String? = nil,
        to task: ClaimedSubmission.Task = .submit
    ) -> ReplyClass {
        let reply = NetworkReply(status: status, body: Array(body.utf8), contentType: type, retryAfter: retryAfter)
        return ReplyClassifier.classify(.success(reply), to: task)
    }

    /// The class of a status whose body says nothing.
    private func bare(_ status: Int, retryAfter: Bool) -> String {
        switch status {
        case 202: "wait"
        case 100...399, 408, 425: "maybe sent"
        case 401, 407, 429, 502, 503, 504, 511, 520...529: "unavailable"
        case 409: retryAfter ? "wait" : "park"
        case 410: "too old"
        case 501, 505: "park"
        case 500...599: "maybe sent"
        default: "park"
        }
    }

    @Test("Every status has its one class, with and without a body and Retry-After", arguments: 100...599)
    func statuses(status: Int) {
        let refusing: Set = [403, 409, 412, 422, 423, 428]
        let accepting: Set = [200, 201]
        for retryAfter in [nil, "7"] {
            let bare = bare(status, retryAfter: retryAfter != nil)
            for body in ["", "<html>Log in here</html>", "{}", #"{"type":"/problems/key-reuse","errors":null}"#] {
                #expect(classify(status, body, retryAfter: retryAfter).name == bare, "\(body)")
            }
            #expect(
                classify(status, Self.acceptance, retryAfter: retryAfter).name
                    == (accepting.contains(status) ? "accepted" : bare))
            #expect(
                classify(status, Self.problem, retryAfter: retryAfter).name
                    == (refusing.contains(status) ? "rejected" : bare))
        }
    }

    @Test("A status that HTTP does not know has a class too", arguments: [Int.min, -1, 0, 99, 600, 999, Int.max])
    func impossible(status: Int) {
        #expect(classify(status, Self.acceptance).name == "park" || status == 99)
    }

    @Test("What never left is unsent, what was cut off may have arrived")
    func failures() {
        #expect(ReplyClassifier.classify(.failure(.unreachable("no route"))) == .unsent(reason: "no route"))
        #expect(ReplyClassifier.classify(.failure(.untrusted("expired"))).name == "unsent")
        #expect(ReplyClassifier.classify(.failure(.interrupted("timeout"))) == .maybeSent(reason: "timeout"))
        #expect(ReplyClassifier.classify(.failure(.malformed("cut off"))) == .outOfContract(reason: "cut off"))
    }

    @Test("Who answers in another language than the contract's is not the network", arguments: 100...599)
    func foreign(status: Int) {
        let html = "<html>Log in to this Wi-Fi</html>"
        let classes = Set(
            ["text/html", "text/plain; charset=utf-8", "application/xml"].map {
                classify(status, html, type: $0).name
            })
        let bare = bare(status, retryAfter: false)
        #expect(classes == [status == 410 || (400...499).contains(status) && bare == "park" ? "maybe sent" : bare])
        for type in ["application/json", "Application/JSON; charset=utf-8", "application/problem+json"] {
            #expect(classify(status, "{}", type: type).name == bare)
        }
        #expect(classify(200, Self.acceptance, type: "text/html").name == "maybe sent")
    }

    @Test("Taking back and asking are answered like the submission was, and never need help")
    func otherTasks() {
        let cancelled = #"{"schema":1,"verdict":"cancelled"}"#
        #expect(classify(200, cancelled, to: .cancel) == .verdict(.cancelled(reason: "taken back")))
        #expect(classify(409, #"{"type":"/problems/cancelled"}"#) == .verdict(.cancelled(reason: "taken back")))
        #expect(
            classify(409, #"{"type":"/problems/cancelled"}"#, to: .askOutcome)
                == .verdict(.cancelled(reason: "taken back")))
        #expect(classify(404, "", to: .askOutcome) == .neverSeen)
        #expect(classify(404, "<html>", type: "text/html", to: .askOutcome).name == "maybe sent")
        for task in [ClaimedSubmission.Task.cancel, .askOutcome] {
            #expect(classify(201, Self.acceptance, to: task).name == "accepted")
            #expect(classify(409, Self.problem, to: task).name == "rejected")
            #expect(classify(410, "", to: task) == .tooOld)
            #expect((100...599).allSatisfy { classify($0, "", to: task).name != "park" })
        }
    }

    @Test(
        "An acceptance is taken with what it tells of the person, and with what it adds",
        arguments: [
            (acceptance, "r1"), (#"{"schema":1,"verdict":"accepted"}"#, nil),
            (#"{"schema":1,"verdict":"accepted","user":null}"#, nil),
            (#"{"schema":1,"verdict":"accepted","user":{}}"#, nil),
            (#" {"verdict":"accepted","schema":1,"new":[1,{}],"user":{"id":"r1","x":1}} "#, "r1"),
        ])
    func accepted(body: String, id: String?) {
        #expect(classify(200, body) == .verdict(.accepted(remoteID: id)))
    }

    @Test(
        "Nothing but a whole acceptance of our schema is one",
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
        #expect(classify(200, body).name == "maybe sent")
        #expect(classify(201, body).name == "maybe sent")
    }

    @Test("An acceptance that was cut anywhere is none")
    func truncated() {
        for length in 0..<Self.acceptance.utf8.count {
            #expect(classify(201, String(Self.acceptance.prefix(length))).name == "maybe sent")
        }
    }

    @Test("Bytes that are no text are no verdict")
    func garbage() {
        for bytes: [UInt8] in [[0xFF, 0xFE], [0], Array(repeating: 0x5B, count: 100_000), [0xC0, 0x80]] {
            let reply = ReplyClassifier.classify(.success(NetworkReply(status: 200, body: bytes)))
            #expect(reply.name == "maybe sent")
        }
    }

    @Test("A name that stands twice in an answer never makes two verdicts of it", arguments: [200, 422])
    func duplicates(status: Int) {
        let body = #"{"schema":1,"verdict":"rejected","verdict":"accepted","errors":[],"errors":[]}"#
        let classes = Set((0..<20).map { _ in classify(status, body).name })
        #expect(classes.count == 1)
    }

    @Test("An answer that is too long is not read")
    func oversize() {
        let fill = String(repeating: " ", count: ReplyClassifier.maximumBody - Self.acceptance.utf8.count)
        #expect(classify(201, Self.acceptance + fill).name == "accepted")
        #expect(classify(201, Self.acceptance + fill + " ").name == "maybe sent")
        #expect(classify(422, Self.problem + fill + fill).name == "park")
    }

    @Test(
        "A refusal names fields, or it is a mistake of ours",
        arguments: [
            #"{"errors":[]}"#, #"{"errors":{}}"#, #"{"errors":[{}]}"#, #"{"errors":[{"field":"user_name"}]}"#,
            #"{"errors":[{"field":1,"code":"taken"}]}"#, #"{"errors":"taken"}"#, "[]",
        ])
    func notRejected(body: String) {
        #expect(classify(422, body).name == "park")
    }

    @Test("A refusal tells all its fields, in the server's order, and may say more")
    func refusedFields() {
        let body = #"{"type":"x","errors":[{"field":"b","code":"1","message":"m","x":0},{"field":"a","code":"2"}]}"#
        guard case .verdict(.rejected(let refusals)) = classify(422, body) else {
            Issue.record("not a refusal")
            return
        }
        #expect(refusals.map { $0.unknownCode.map { [$0.field, $0.code] } } == [["b", "1"], ["a", "2"]])
    }

    @Test(
        "Retry-After is taken in seconds, from none to a day",
        arguments: [
            ("0", 0), ("7", 7), ("86400", 86400), ("86401", 86400), ("315360000", 86400), ("-5", nil),
            ("99999999999999999999", 86400), (" 7 ", 7), ("", nil),
            ("soon", nil), ("1.5", nil), ("Sat, 21 Nov 2026 07:44:07 GMT", nil),
        ] as [(String, Int?)])
    func retryAfter(text: String, seconds: Int?) {
        guard case .unavailable(let retryAfter, _) = classify(503, "", retryAfter: text) else {
            Issue.record("503 is not transient")
            return
        }
        #expect(retryAfter == seconds.map { .seconds($0) })
    }

    @Test(
        "Retry-After is taken as a date in each of HTTP's forms, against the reply's own clock",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func dates(text: String) throws {
        #expect(RetryAfter.date(text) == Timestamp("1994-11-06T08:49:37.000Z"))
        func wait(_ retryAfter: String, date: String?) -> Duration? {
            RetryAfter.wait(NetworkReply(status: 503, body: [], retryAfter: retryAfter, date: date))
        }
        #expect(wait(text, date: "Sun, 06 Nov 1994 08:48:37 GMT") == .seconds(60))
        #expect(wait("Sun, 06 Nov 1994 08:50:37 GMT", date: text) == .seconds(60))
        #expect(wait(text, date: "Mon, 07 Nov 1994 08:49:37 GMT") == .zero)
        #expect(wait(text, date: "Fri, 04 Nov 1994 08:49:37 GMT") == .seconds(86400))
        #expect(wait(text, date: nil) == nil)
        #expect(wait(text, date: "yesterday") == nil)
    }

    @Test(
        "What is no HTTP date is none",
        arguments: [
            "", "06 Nov 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun Nov 6 1994", "1994-11-06T08:49:37.000Z", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:00:00 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
        ])
    func noDate(text: String) {
        #expect(RetryAfter.date(text) == nil)
    }

    @Test("No class repeats what a server wrote: it could be anything")
    func words() {
        for status in 100...599 {
            let reply = "\(classify(status, #"{"errors":"CANARY","verdict":"CANARY"}"#, retryAfter: "CANARY"))"
            #expect(!reply.contains("CANARY"))
        }
    }
}
