import FoyerModel
import TestSupport
import Testing

@testable import FoyerMockNetwork

/// What a connection may not take: time, and room.
@Suite struct LimitTests {
    @Test("A request that does not come in time is told so, and its connection ends", arguments: ["head", "body"])
    func slow(part: String) async throws {
        let site = try await Site { $0.limits.request = .milliseconds(200) }
        let bytes = Site.bytes(Form().request())
        let client = try site.client()
        client.send(Array(part == "head" ? bytes.prefix(20) : bytes.dropLast(1)))
        #expect(await client.answer()?.status == 408)
        #expect(await client.receive().end == .fin)
        #expect(try await site.state.accounts() == "0")
        await site.server.stop()
    }

    @Test("A connection that lies idle is closed without a word, before its first request and after")
    func idle() async throws {
        let site = try await Site { $0.limits.idle = .milliseconds(200) }
        let fresh = try site.client(), used = try site.client()
        used.send(Site.bytes("GET", "/v1/sealing-key"))
        #expect(await used.answer()?.status == 200)
        for client in [fresh, used] {
            let received = await client.receive()
            #expect(received.bytes.isEmpty && received.end == .fin)
        }
        await site.server.stop()
    }

    @Test("A client that does not read its answer is given up, and holds nobody up")
    func unread() async throws {
        let site = try await Site("huge=1g:#1") { $0.limits.answer = .milliseconds(200) }
        let client = try site.client()
        client.send(Site.bytes(Form().request()))
        #expect(await client.receive(atMost: 1).end == .enough)
        #expect(try await site.answer("GET", "/v1/sealing-key").status == 200)
        // The server stops only when each of its threads has ended.
        await site.server.stop()
        #expect(await client.receive().bytes.count < 1 << 30)
    }

    @Test("One connection too many is told to come later, and finds room when another has ended")
    func room() async throws {
        let site = try await Site { $0.limits.connections = 2 }
        let key = Site.bytes("GET", "/v1/sealing-key")
        var clients = [try site.client(), try site.client()]
        for client in clients {
            client.send(key)
            #expect(await client.answer()?.status == 200)
        }
        let refused = await (try site.client()).answer()
        #expect(refused?.status == 503 && refused?.headers["retry-after"] == "1")
        clients.removeLast()
        var status = 503
        for _ in 0..<1000 where status != 200 { status = try await site.ask(key)?.status ?? 503 }
        #expect(status == 200)
        await site.server.stop()
        withExtendedLifetime(clients) {}
    }

    @Test("A refused body is read to its end, so that its client sees the answer")
    func refusedBody() async throws {
        let site = try await Site()
        let request = Form().request()
        let head = Site.bytes(request, dropping: "Content-Length", adding: ["Content-Length: 300000"])
        let client = try site.client()
        client.send(head)
        client.send([UInt8](repeating: 0x20, count: 300_000))
        let received = await client.receive()
        #expect(received.end == .fin && received.text.hasPrefix("HTTP/1.1 413 "))
        await site.server.stop()
    }
}
