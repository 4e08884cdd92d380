import TestSupport
import Testing

@testable import FoyerMockNetwork

@Suite struct RequestParserTests {
    /// All that a parser makes of these bytes when they come in such parts.
    private func events(
        _ bytes: [UInt8], parts: (Int) -> Int = { $0 }, limits: HTTPLimits = HTTPLimits()
    ) -> [RequestParser.Event] {
        var parser = RequestParser(limits: limits), events: [RequestParser.Event] = [], rest = bytes[...]
        while true {
            switch parser.next() {
            case .needsMore where rest.isEmpty: return events
            case .needsMore:
                let part = rest.prefix(max(1, parts(rest.count)))
                parser.feed(part)
                rest = rest.dropFirst(part.count)
            case .refused(let refusal): return events + [.refused(refusal)]
            case let event: events.append(event)
            }
        }
    }

    private func events(_ text: String, limits: HTTPLimits = HTTPLimits()) -> [RequestParser.Event] {
        events(Array(text.replacing("\n", with: "\r\n").utf8), limits: limits)
    }

    private func requests(_ text: String) -> [HTTPRequest] {
        events(text).compactMap { if case .request(let request) = $0 { request } else { nil } }
    }

    private func status(_ text: String, limits: HTTPLimits = HTTPLimits()) -> Int? {
        if case .refused(let refusal) = events(text, limits: limits).last { refusal.status } else { nil }
    }

    @Test("Requests that follow each other are read one by one, with their bodies")
    func several() {
        let read = requests(
            "POST /a HTTP/1.1\nHost: x\nContent-Length: 5\n\nhello\nGET /b?c HTTP/1.1\nHOST:x\nA:  1 \t2\t\n\n")
        #expect(read.map(\.method) == ["POST", "GET"])
        #expect(read.map(\.target) == ["/a", "/b?c"])
        #expect(read.map { String(decoding: $0.body, as: UTF8.self) } == ["hello", ""])
        #expect(read.last?.values("a") == ["1 \t2"])
    }

    @Test(
        "A connection is kept or closed as the version and the client say",
        arguments: [
            ("HTTP/1.1\nHost: x\n\n", true), ("HTTP/1.1\nHost: x\nConnection: Close\n\n", false),
            ("HTTP/1.1\nHost: x\nConnection: te, close\n\n", false), ("HTTP/1.0\n\n", false),
            ("HTTP/1.0\nConnection: keep-alive\n\n", true),
        ])
    func connection(end: String, keepsAlive: Bool) {
        #expect(requests("GET / " + end).map(\.keepsAlive) == [keepsAlive])
    }

    @Test("A client that waits for it is told to send its body")
    func expectation() {
        let head = "POST / HTTP/1.1\nHost: x\nContent-Length: 2\nExpect: 100-Continue\n\n"
        #expect(events(head) == [.expectsContinue])
        #expect(events(head + "ab").count == 2)
        #expect(requests(head + "ab").count == 1)
        #expect(status(head.replacing("100-Continue", with: "a miracle")) == 417)
        #expect(status("POST / HTTP/1.1\nHost: x\nContent-Length: 99999999\nExpect: 100-continue\n\n") == 413)
    }

    @Test(
        "What could be read in two ways is refused",
        arguments: [
            ("GET / HTTP/1.1\n\n", 400), ("GET / HTTP/1.1\nHost: a\nHost: b\n\n", 400), ("GET /\n\n", 400),
            ("GET  / HTTP/1.1\nHost: x\n\n", 400), ("GET / x HTTP/1.1\nHost: x\n\n", 400), ("\n\n", 400),
            ("GET / HTTP/2.0\nHost: x\n\n", 505), ("GET / FTP/1.1\nHost: x\n\n", 400), ("G(T / HTTP/1.1\n\n", 400),
            ("GET / HTTP/1.1\nHost : x\n\n", 400), ("GET / HTTP/1.1\nHost: x\n folded\n\n", 400),
            ("GET / HTTP/1.1\nHost: x\nA\n\n", 400), ("GET / HTTP/1.1\nHost: x\n: a\n\n", 400),
            ("GET / HTTP/1.1\nHost: x\nA: \u{1}\n\n", 400), ("GET / HTTP/1.1\nHost: x\nA: a\rb\n\n", 400),
            ("POST / HTTP/1.1\nHost: x\nContent-Length: 2\nContent-Length: 2\n\n", 400),
            ("POST / HTTP/1.1\nHost: x\nContent-Length: 2, 2\n\n", 400),
            ("POST / HTTP/1.1\nHost: x\nContent-Length: -1\n\n", 400),
            ("POST / HTTP/1.1\nHost: x\nContent-Length: 0x1\n\n", 400),
            ("POST / HTTP/1.1\nHost: x\nContent-Length: \n\n", 400),
            ("POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n", 411),
            ("POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\nContent-Length: 3\n\n", 400),
            ("POST / HTTP/1.1\nHost: x\nContent-Length: 65537\n\n", 413),
            ("POST / HTTP/1.1\nHost: x\nContent-Length: 99999999999999999999999\n\n", 413),
            ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\nHost: x\n\n", 414),
            ("GET / HTTP/1.1\nHost: x\nA: \(String(repeating: "a", count: 17000))\n\n", 431),
            ("GET / HTTP/1.1\nHost: x\n\(String(repeating: "A: a\n", count: 64))\n", 431),
        ])
    func refused(text: String, status: Int) {
        #expect(self.status(text) == status)
    }

    @Test("A line that ends in LF alone is refused as soon as it is there")
    func bareLineFeed() {
        let read = events(Array("GET / HTTP/1.1\n".utf8))
        #expect(read == [.refused(.badLine)])
    }

    @Test("What lies on a limit passes")
    func limits() {
        let limits = HTTPLimits(head: 100, requestLine: 20, headers: 2, body: 3)
        let fits = "GET /\(String(repeating: "a", count: 5)) HTTP/1.1\nHost: x\nContent-Length: 3\n\n123"
        #expect(events(fits, limits: limits).count == 1)
        #expect(status(fits, limits: limits) == nil)
        #expect(status(fits.replacing("/aaaaa", with: "/aaaaaa"), limits: limits) == 414)
        #expect(status(fits.replacing("Host", with: "A: b\nHost"), limits: limits) == 431)
        #expect(status(fits.replacing("3\n", with: "4\n"), limits: limits) == 413)
        #expect(status(fits.replacing("x\n", with: String(repeating: "x", count: 60) + "\n"), limits: limits) == 431)
    }

    @Test("However broken bytes are cut, they are read in the same way, and nothing grows without end")
    func fuzz() {
        let limits = HTTPLimits(head: 200, requestLine: 40, headers: 4, body: 50)
        let seeds = [
            "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
            "GET /b HTTP/1.0\r\n\r\n", "\r\nGET /c HTTP/1.1\r\nHost: y\r\nConnection: close\r\n\r\n",
            "POST /d HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab",
        ].map { Array($0.utf8) }
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed), completed = 0, refused = 0
        for round in 0..<3000 {
            var bytes = seeds.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)).flatMap { $0 }
            for _ in 0..<Int.random(in: 0...4, using: &random) { mutate(&bytes, &random) }
            let whole = events(bytes, limits: limits)
            let single = events(bytes, parts: { _ in 1 }, limits: limits)
            let cut = events(bytes, parts: { Int.random(in: 1...$0, using: &random) }, limits: limits)
            #expect(whole == single && whole == cut, "seed \(seed), round \(round): \(bytes)")
            if case .refused = whole.last { refused += 1 }
            completed += whole.isEmpty ? 0 : 1
        }
        // The bytes were neither all too broken nor all whole.
        #expect(completed > 1000 && refused > 300, "seed \(seed)")
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: [13, 10, 32, 58, 0].shuffled(using: &random).prefix(2), at: place)
        case 3: bytes.insert(contentsOf: bytes[place...].prefix(60), at: place)
        default: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0..<30, using: &random)))
        }
        if bytes.isEmpty { bytes = [0] }
    }
}
