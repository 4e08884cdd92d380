import FoyerModel
import TestSupport
import Testing

@testable import FoyerMockNetwork

@Suite struct RouteTests {
    @Test("A submission is answered over HTTP as in process, and so is its replay")
    func submit() async throws {
        let site = try await Site()
        let request = Form().request()
        let first = try await site.answer(request), again = try await site.answer(request)
        #expect(first.status == 201 && !first.answer.isReplay && first.headers["content-type"] == "application/json")
        #expect(again.answer.isReplay && again.text == first.text)
        let inProcess = Answer(try await site.state.another().submit(request))
        #expect(inProcess.isReplay && inProcess.text == first.text)
        #expect(try await site.state.accounts() == "1")
        await site.server.stop()
    }

    @Test("Refusals and all else that is no verdict are problems, with a date")
    func problems() async throws {
        let site = try await Site()
        for bytes in [
            Site.bytes(Form(email: "nonsense").request()), Site.bytes("GET", "/"), Array("nonsense\r\n\r\n".utf8),
        ] {
            let answer = try #require(try await site.ask(bytes))
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.answer.body?.status == answer.status && answer.answer.body?.type != nil)
            #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
        }
        await site.server.stop()
    }

    @Test(
        "What is not in the contract has its own status, and uses no key up",
        arguments: [
            ("Idempotency-Key", [], 400),
            ("Idempotency-Key", ["Idempotency-Key: 01a1ffc8-1cb8-7311-b180-bfa5c90cc8b4"], 400),
            ("Idempotency-Key", ["Idempotency-Key: \"01a1ffc8-1cb8-4311-b180-bfa5c90cc8b4\""], 400),
            ("Idempotency-Key", ["Idempotency-Key: \"01A1FFC8-1cb8-7311-b180-bfa5c90cc8b4\""], 400),
            (nil, ["Idempotency-Key: \"01a1ffc8-1cb8-7311-b180-bfa5c90cc8b4\""], 400),
            ("Content-Length", [], 411), ("Content-Length", ["Transfer-Encoding: chunked"], 411),
            ("Content-Length", ["Content-Length: 70000"], 413), ("Content-Type", [], 415),
            ("Content-Type", ["Content-Type: text/plain"], 415),
            ("Content-Type", ["Content-Type: application/json; charset=latin1"], 415),
            ("Content-Type", ["Content-Type: application/json; charset=UTF-8"], 201),
            (nil, ["X: \(String(repeating: "x", count: 20000))"], 431),
        ] as [(String?, [String], Int)])
    func refused(dropped: String?, added: [String], status: Int) async throws {
        let site = try await Site()
        let request = Form().request()
        let answer = try #require(try await site.ask(Site.bytes(request, dropping: dropped, adding: added)))
        #expect(answer.status == status)
        #expect(try await site.answer(request).answer.isReplay == (status == 201))
        await site.server.stop()
    }

    @Test(
        "Each place knows its methods",
        arguments: [
            ("GET", "/v1/submissions/register", 405, "POST"), ("POST", "/v1/sealing-key", 405, "GET"),
            ("PUT", "/v1/submissions/01a1ffc8-1cb8-7311-b180-bfa5c90cc8b4", 405, "DELETE, GET"),
            ("GET", "/v1/submissions/nothing", 404, nil), ("GET", "/v1/submissions/", 404, nil),
            ("GET", "/v2/sealing-key", 404, nil), ("GET", "/v1/sealing-key/", 404, nil), ("OPTIONS", "*", 404, nil),
            ("GET", "http://127.0.0.1/v1/sealing-key?a=b", 200, nil), ("GET", "http://127.0.0.1", 404, nil),
        ] as [(String, String, Int, String?)])
    func methods(method: String, path: String, status: Int, allowed: String?) async throws {
        let site = try await Site()
        let answer = try await site.answer(method, path)
        #expect(answer.status == status && answer.headers["allow"] == allowed)
        await site.server.stop()
    }

    @Test("The outcome can be asked, and a submission taken back")
    func outcome() async throws {
        let site = try await Site()
        let request = Form().request(), path = "/v1/submissions/\(request.key)"
        #expect(try await site.answer("GET", path).status == 404)
        #expect(try await site.answer("DELETE", path).text == #"{"schema":1,"verdict":"cancelled"}"#)
        #expect(try await site.answer(request).status == 409)
        #expect(try await site.answer("GET", path).answer.body?.type == "/problems/cancelled")
        let other = Form().request(), accepted = try await site.answer(other)
        for method in ["GET", "DELETE"] {
            let answer = try await site.answer(method, "/v1/submissions/\(other.key)")
            #expect(answer.status == 201 && answer.answer.isReplay && answer.text == accepted.text)
        }
        await site.server.stop()
    }

    @Test("A key from more than a day ahead is refused like one that is too old, because it would never become too old")
    func fromTheFuture() async throws {
        let key = newKey(), made = FoyerEnvironment.system.now()
        func status(behind lead: Duration) async throws -> Int {
            let earlier = FoyerEnvironment(now: { made + (.zero - lead) })
            let site = try await Site { $0.environment = earlier }
            defer { Task { await site.server.stop() } }
            return try await site.answer(Form().request(key: key)).status
        }
        #expect(try await status(behind: .seconds(86400 + 60)) == 410)
        #expect(try await status(behind: .seconds(86400 - 60)) == 201)
    }

    @Test("A key that is older than thirty days and unknown is gone, for every question")
    func tooOld() async throws {
        let key = newKey(), known = Form(email: "b@example.org", userName: "bob").request()
        let state = try Server()
        try await state.send(known)
        let later = FoyerEnvironment(now: { FoyerEnvironment.system.now() + .seconds(30 * 86400 + 60) })
        let site = try await Site(state: state) { $0.environment = later }
        #expect(try await site.answer(Form().request(key: key)).status == 410)
        #expect(try await site.answer("GET", "/v1/submissions/\(key)").status == 410)
        #expect(try await site.answer("DELETE", "/v1/submissions/\(key)").status == 410)
        // What is known is told, however old it is.
        #expect(try await site.answer(known).status == 201)
        #expect(try await site.state.accounts() == "1")
        await site.server.stop()
        let earlier = FoyerEnvironment(now: { FoyerEnvironment.system.now() + .seconds(30 * 86400 - 3600) })
        let again = try await Site(state: state) { $0.environment = earlier }
        #expect(try await again.answer(Form().request(key: key)).status == 201)
        await again.server.stop()
    }

    @Test("While a submission is being worked on, its key has to wait, and is not spent")
    func inProgress() async throws {
        // The first byte of an answer that drips is there long before the last.
        let site = try await Site("drip=50ms:#1")
        let request = Form().request(), path = "/v1/submissions/\(request.key)"
        let slow = try site.client()
        slow.send(Site.bytes(request))
        #expect(await slow.receive(atMost: 1).end == .enough)
        for answer in try await [site.answer(request), site.answer("GET", path), site.answer("DELETE", path)] {
            #expect(answer.status == 409 && answer.answer.body?.type == "/problems/in-progress")
            #expect(answer.headers["retry-after"] == "1")
        }
        await site.server.stop()
        let next = try await Site(state: site.state)
        #expect(try await next.answer(request).status == 201)
        #expect(try await next.state.accounts() == "1")
        await next.server.stop()
    }
}
