import FoyerModel
import TestSupport
import Testing

@testable import FoyerSync

@Suite(.timeLimit(.minutes(2))) struct HTTPFaultTests {
    /// What a server does after it has a request, and what that has to be called.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Which of two fits is libcurl's choice in some cases, and differs from version to version.
        let endings: Set<Ending>
        let act: @Sendable (RawConnection) -> Void

        init(_ name: String, _ endings: Ending..., act: @escaping @Sendable (RawConnection) -> Void) {
            (testDescription, self.endings, self.act) = (name, Set(endings), act)
        }

        /// Says this, and closes the connection.
        init(_ name: String, says text: String, _ endings: Ending...) {
            (testDescription, self.endings, act) = (name, Set(endings), { $0.send(text) })
        }

        /// Says this, and then nothing more.
        init(_ name: String, falls_silent_after text: String) {
            self.init(name, .interrupted) { connection in
                connection.send(text)
                _ = connection.wait()
            }
        }

        /// Says a whole answer one byte at a time.
        static func drip(_ name: String, after start: String, _ text: String) -> Fault {
            Fault(name, .interrupted) { connection in
                connection.send(start)
                for byte in text.utf8 where connection.wait(.milliseconds(100)) { connection.send([byte]) }
            }
        }
    }

    private static let ok = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n"
    private static let accepted = Answer.acceptance

    static let interruptions: [Fault] = [
        Fault("closes before a byte", .interrupted) { _ in },
        Fault("resets before a byte", .interrupted) { $0.reset() },
        Fault("says it will send no more, and waits", .interrupted) { connection in
            connection.finishSending()
            _ = connection.wait(.milliseconds(100))
        },
        Fault("resets in the head", .interrupted) { connection in
            connection.send("HTTP/1.1 201 Created\r\nContent-Le")
            _ = connection.wait(.milliseconds(50))
            connection.reset()
        },
        Fault("resets in the body", .interrupted) { connection in
            connection.send(ok + "Content-Length: 1000\r\n\r\n" + accepted)
            _ = connection.wait(.milliseconds(50))
            connection.reset()
        },
        Fault("is silent", falls_silent_after: ""),
        Fault("is silent after half a head", falls_silent_after: "HTTP/1.1 201 Created\r\nX"),
        Fault("is silent after the head", falls_silent_after: ok + "Content-Length: 52\r\n\r\n"),
        .drip("drips the head", after: "", Answer.whole()),
        .drip("drips the body", after: ok + "Content-Length: 52\r\n\r\n", accepted),
    ]

    static let nonsense: [Fault] = [
        Fault("cuts the first line", says: "HTTP/1.1 20", .malformed, .interrupted),
        Fault("cuts the head after a line", says: "HTTP/1.1 201 Created\r\n", .malformed),
        Fault("cuts the head in a line", says: ok + "Content-Le", .malformed),
        Fault("cuts the body", says: ok + "Content-Length: 100000\r\n\r\n" + accepted, .malformed),
        Fault("announces less than it sends", says: ok + "Content-Length: 5\r\n\r\n" + accepted, .status(201)),
        Fault("cuts a chunk", says: ok + "Transfer-Encoding: chunked\r\n\r\nFF\r\n" + accepted, .malformed),
        Fault("cuts after a chunk", says: ok + "Transfer-Encoding: chunked\r\n\r\n34\r\n\(accepted)\r\n", .malformed),
        Fault(
            "chunks without numbers", says: ok + "Transfer-Encoding: chunked\r\n\r\nZZ\r\nxx\r\n", .malformed,
            .interrupted),
        Fault(
            "has a chunk of 2^64", says: ok + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF1\r\n", .malformed,
            .interrupted),
        Fault("has a negative length", says: ok + "Content-Length: -1\r\n\r\n" + accepted, .malformed),
        Fault("has a length that is none", says: ok + "Content-Length: ten\r\n\r\n" + accepted, .malformed),
        Fault("speaks HTTP/0.9", says: accepted, .malformed),
        Fault("speaks HTTP/9.9", says: "HTTP/9.9 201 Created\r\n\r\n" + accepted, .malformed),
        Fault("speaks another protocol", says: "SSH-2.0-OpenSSH_9.2\r\n", .malformed),
        Fault("sends NULs", says: String(repeating: "\0", count: 200), .malformed),
        Fault("has a NUL in the head", says: ok + "X: a\0b\r\n\r\n" + accepted, .malformed),
        Fault("has a status of four digits", says: "HTTP/1.1 2010 Created\r\n\r\n" + accepted, .malformed),
        Fault("has no status", says: "HTTP/1.1 \r\n\r\n" + accepted, .malformed),
        Fault("ends after an informational head", says: "HTTP/1.1 103 Early\r\nX: y\r\n\r\n", .malformed, .interrupted),
        Fault("switches protocols", says: "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n" + accepted, .status(101)),
        Fault("answers HTML", says: Answer.whole(200, "<html>Please log in: accepted</html>"), .status(200)),
        Fault("answers nothing", says: Answer.whole(200, ""), .status(200)),
        Fault("answers half a verdict", says: Answer.whole(201, String(accepted.dropLast())), .status(201)),
        Fault("answers a NUL", says: Answer.whole(201, accepted + "\0"), .status(201)),
        Fault(
            "says that it packed its answer", says: Answer.whole(201, accepted, "Content-Encoding: gzip"), .malformed),
        Fault("has two lengths", says: Answer.whole(201, accepted, "Content-Length: 5"), .malformed),
        Fault("has the same length twice", says: Answer.whole(201, accepted, "Content-Length: 52"), .malformed),
        Fault("has two lengths in a field", says: ok + "Content-Length: 52, 5\r\n\r\n" + accepted, .malformed),
        Fault("has a length and chunks", says: chunked("Content-Length: 52"), .malformed),
        Fault("has chunks twice", says: chunked("Transfer-Encoding: chunked"), .malformed),
        Fault("has chunks in HTTP/1.0", says: chunked().replacing("HTTP/1.1", with: "HTTP/1.0"), .malformed),
        Fault(
            "has a length in a line that goes on", says: Answer.whole(201, accepted, "X: y\r\n Content-Length: 5"),
            .malformed),
        Fault(
            "has a length before the head", says: "HTTP/1.1 103 Early\r\nContent-Length: 5\r\n\r\n" + Answer.whole(),
            .malformed),
        Fault("has two statuses", says: "HTTP/1.1 422 No\r\n" + Answer.whole(), .malformed),
        Fault("has two types", says: Answer.whole(201, accepted, "Content-Type: text/html"), .malformed),
        Fault("answers in UTF-16", .status(201)) { $0.send(utf16(accepted)) },
        Fault("answers twice in UTF-16", .status(201)) { connection in
            connection.send(utf16(#"{"schema":1,"verdict":"rejected","verdict":"accepted"}"#))
        },
        Fault("answers no text", .status(201)) { connection in
            let body = Array(accepted.replacing("r1", with: "r?").utf8).map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
            connection.send(Array((ok + "Content-Length: \(body.count)\r\n\r\n").utf8) + body)
        },
    ]

    private static func chunked(_ field: String = "X: y") -> String {
        ok + "Transfer-Encoding: chunked\r\n\(field)\r\n\r\n34\r\n\(accepted)\r\n0\r\n\r\n"
    }

    private static func utf16(_ text: String) -> [UInt8] {
        let body = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return Array((ok + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
    }

    static let endless: [Fault] = [
        Fault("announces 10 GB", .malformed) { connection in
            connection.send(ok + "Content-Length: 10737418240\r\n\r\n")
            connection.flood("x")
        },
        Fault("chunks without end", .malformed) { connection in
            connection.send(ok + "Transfer-Encoding: chunked\r\n\r\n")
            connection.flood("1000\r\n" + String(repeating: "x", count: 0x1000) + "\r\n")
        },
        Fault("sends without a length and an end", .malformed) { connection in
            connection.send(ok + "\r\n")
            connection.flood("x")
        },
        Fault("sends fields without end", .malformed) { connection in
            connection.send(ok)
            connection.flood("X-Filler: yes\r\n")
        },
        Fault("sends one field without end", .malformed, .interrupted) { connection in
            connection.send(ok + "X-Filler: ")
            connection.flood("x")
        },
        Fault("sends informational heads without end", .malformed) { $0.flood("HTTP/1.1 100 Continue\r\n\r\n") },
        Fault("sends trailers without end", .malformed) { connection in
            connection.send(ok + "Transfer-Encoding: chunked\r\n\r\n34\r\n\(accepted)\r\n0\r\n")
            connection.flood("X-Filler: yes\r\n")
        },
        Fault("sends a status line without end", .malformed, .interrupted) { connection in
            connection.send("HTTP/1.1 200 ")
            connection.flood("x")
        },
    ]

    private func result(of fault: Fault, onUsedConnection: Bool) async throws -> Result<NetworkReply, NetworkFailure> {
        let server = try RawServer { connection in
            while let request = connection.request() {
                guard request.method == "GET" else {
                    return fault.act(connection)
                }
                guard connection.send(Answer.whole(404, "{}")) else { return }
            }
        }
        let network = try server.client(firstByte: .seconds(2), total: .seconds(4))
        if onUsedConnection { _ = try await network.outcome(of: Sent.newKey()) }
        let result = await network.result()
        // Endless answers were cut off by us: sockets of this machine hold some megabytes at most.
        #expect(server.sentBytes < 16 << 20)
        return result
    }

    @Test(
        "A server that misbehaves gets its class, on a new connection and on a used one (rows 30, 31, 34)",
        arguments: interruptions + nonsense + endless, [false, true])
    func faults(fault: Fault, onUsedConnection: Bool) async throws {
        let result = try await result(of: fault, onUsedConnection: onUsedConnection)
        #expect(fault.endings.contains(Ending(result)), "\(result)")
        #expect(classOf(result) == "maybe sent")
        #expect(!"\(result)".contains(Sent.password))
    }

    @Test("An informational head, chunks and trailers are no fault")
    func sound() async throws {
        let server = try RawServer { connection in
            guard connection.request() != nil else { return }
            connection.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + Self.ok)
            connection.send("Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n33;x=y\r\n\(Self.accepted.dropFirst())\r\n")
            connection.send("0\r\nX-Trailer: HTTP/1.1 500 No\r\n\r\n")
        }
        let result = try await server.client().result()
        #expect(classOf(result) == "accepted", "\(result)")
    }

    @Test("What was done although its answer was lost is answered when it is sent again (row 32)")
    func lostAnswer() async throws {
        let server = try RawServer { connection in
            while connection.request() != nil {
                // The first connection is lost with its answer.
                guard connection.isFirst else {
                    connection.send(Answer.whole(201, Answer.acceptance, "Idempotency-Replayed: true"))
                    continue
                }
                return connection.reset()
            }
        }
        let network = try server.client()
        let request = Sent.request()
        #expect(Ending(await network.result(of: request)) == .interrupted)
        #expect(try await network.submit(request).isReplay)
        let sent = server.requests
        #expect(sent.count == 2 && sent[0].body == sent[1].body)
        #expect(Set(sent.map { $0.fields["idempotency-key"] }) == ["\"\(request.key.text)\""])
    }
}

extension RawConnection {
    /// Says the same again until nobody listens, or for 10 GB.
    fileprivate func flood(_ text: String) {
        let bytes = Array(String(repeating: text, count: max(1, 65_536 / text.utf8.count)).utf8)
        var left = 10 << 30
        while left > 0, send(bytes) { left -= bytes.count }
    }
}
