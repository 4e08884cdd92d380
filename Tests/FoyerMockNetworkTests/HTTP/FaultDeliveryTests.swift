import Foundation
import FoyerModel
import TestSupport
import Testing

@testable import FoyerMockNetwork

/// Every fault, as it looks on the wire; and what it did to the accounts.
@Suite struct FaultDeliveryTests {
    private let request = Form().request()

    /// What comes for the first submission, and whether it has an account afterwards; the second one is answered.
    private func received(_ fault: String, atMost count: Int = .max) async throws -> (
        RawClient.Received, hadEffect: Bool
    ) {
        let site = try await Site(fault + ":#1")
        let received = try await site.exchange(Site.bytes(request), atMost: count)
        // The effect of a lost answer comes before its connection ends.
        let hadEffect = try await site.state.accounts() == "1"
        let again = try await site.answer(request)
        #expect(again.status == 201 && again.answer.isReplay == hadEffect)
        #expect(try await site.state.accounts() == "1")
        await site.server.stop()
        return (received, hadEffect)
    }

    @Test("A lost answer: the effect is there, and the connection ends without a word")
    func lost() async throws {
        let (received, hadEffect) = try await received("lost")
        #expect(received.bytes.isEmpty && received.end == .fin && hadEffect)
    }

    @Test("FIN and RST come before any effect")
    func ended() async throws {
        let (fin, finEffect) = try await received("fin")
        #expect(fin.bytes.isEmpty && fin.end == .fin && !finEffect)
        let (rst, rstEffect) = try await received("rst")
        #expect(rst.bytes.isEmpty && rst.end == .reset && !rstEffect)
    }

    @Test("A body that is cut off")
    func truncated() async throws {
        let (received, hadEffect) = try await received("truncate=10")
        #expect(received.end == .fin && hadEffect)
        #expect(received.text.hasSuffix("\r\n\r\n{\"schema\":") && received.text.contains("Content-Length: 86"))
    }

    @Test("Half a header")
    func halfHeader() async throws {
        let (received, hadEffect) = try await received("half-header")
        #expect(received.end == .fin && hadEffect)
        #expect(received.text.hasPrefix("HTTP/1.1 201 Created\r\nDate: ") && !received.text.contains("GMT"))
    }

    @Test("Bytes that are no HTTP, and a page for people")
    func garbage() async throws {
        let (garbage, garbageEffect) = try await received("garbage")
        #expect(garbage.end == .fin && garbage.bytes.first == 0 && !garbageEffect)
        let site = try await Site("html")
        let page = try await site.answer(request)
        #expect(page.status == 200 && page.headers["content-type"]?.hasPrefix("text/html") == true)
        #expect(try await site.state.accounts() == "0")
        await site.server.stop()
    }

    @Test("A slow drip is the whole answer, byte by byte")
    func drip() async throws {
        let (received, hadEffect) = try await received("drip=1ms")
        #expect(RawAnswer(received.bytes)?.status == 201 && received.end == .fin && hadEffect)
    }

    @Test("An answer that comes two times")
    func twice() async throws {
        let site = try await Site("twice:#1")
        let client = try site.client()
        client.send(Site.bytes(request))
        let first = await client.answer(), second = await client.answer()
        #expect(first?.status == 201 && second?.text == first?.text)
        client.send(Site.bytes("GET", "/v1/submissions/\(request.key)"))
        #expect(await client.answer()?.text == first?.text)
        #expect(try await site.state.accounts() == "1")
        await site.server.stop()
    }

    @Test("A huge body is sent in parts: the server's memory does not grow by it")
    func huge() async throws {
        let site = try await Site("huge=10g:#1")
        let before = residentBytes()
        let received = try await site.exchange(Site.bytes(request), atMost: 64 << 20)
        #expect(received.text.contains("Content-Length: 10737418240\r\n") && received.bytes.count == 64 << 20)
        // What was received takes 64 MiB here, or twice that while it grows.
        #expect(residentBytes() - before < 400 << 20)
        await site.server.stop()
    }

    @Test(
        "Any status, with Retry-After where it is wanted, and without any effect",
        arguments: [("status=503,retry-after=2", 503, "2"), ("status=401", 401, nil), ("status=302", 302, nil)]
            as [(String, Int, String?)])
    func status(fault: String, status: Int, retryAfter: String?) async throws {
        let site = try await Site(fault + ":#1-2")
        for _ in 1...2 {
            let answer = try await site.answer(request)
            #expect(answer.status == status && answer.headers["retry-after"] == retryAfter, "\(answer)")
        }
        #expect(try await site.state.accounts() == "0")
        let answer = try await site.answer(request)
        #expect(answer.status == 201 && !answer.answer.isReplay)
        await site.server.stop()
    }

    @Test("A hang ends with its client, and has no effect")
    func hang() async throws {
        let site = try await Site("hang:#1")
        let client = try site.client()
        client.send(Site.bytes(request))
        client.halfClose()
        let received = await client.receive()
        #expect(received.bytes.isEmpty && received.end == .fin)
        #expect(try await site.state.accounts() == "0")
        await site.server.stop()
    }

    @Test("A delayed answer comes, and comes later")
    func delay() async throws {
        let site = try await Site("delay=300ms:#1")
        let start = ContinuousClock.now
        #expect(try await site.answer(request).status == 201)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        await site.server.stop()
    }

    @Test("A server that stops cuts what is delayed or hangs, and is gone")
    func stop() async throws {
        let site = try await Site("hang:#2", "delay=1000s:#3")
        let hanging = try site.client(), delayed = try site.client(), idle = try site.client()
        idle.send(Site.bytes("GET", "/v1/sealing-key"))
        #expect(await idle.answer()?.status == 200)
        hanging.send(Site.bytes(request))
        delayed.send(Site.bytes(Form().request()))
        await site.server.stop()
        #expect(await hanging.receive().end != .silence)
        #expect(await idle.receive().end != .silence)
        #expect(throws: (any Error).self) { try site.client() }
    }
}

/// How much memory this process has in use.
private func residentBytes() -> Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4096
}
