import FoyerModel
import TestSupport
import Testing

@testable import FoyerSync

@Suite struct ReplyHeadTests {
    private func head(_ lines: [String]) -> ReplyHead {
        var head = ReplyHead()
        for line in lines { _ = Array("\(line)\r\n".utf8).withUnsafeBytes { head.take($0) } }
        return head
    }

    @Test("A head says what the outbox needs, whatever the case and the spaces")
    func fields() {
        let head = head([
            "HTTP/1.1 503 Service Unavailable", "RETRY-AFTER:7", "date:  Sat, 21 Nov 2026 07:44:07 GMT\t",
            "Content-Type: application/problem+json; charset=utf-8", "Location: /x", "Idempotency-Replayed: True",
            "Retry-After: 8", "",
        ])
        #expect(head.isWhole && head.status == 503 && head.isReplay)
        #expect(head.retryAfter == "7" && head.date == "Sat, 21 Nov 2026 07:44:07 GMT" && head.location == "/x")
        #expect(head.contentType == "application/problem+json; charset=utf-8")
    }

    @Test("An informational head is forgotten with all its fields when the final one comes")
    func informational() {
        let head = head(["HTTP/1.1 103 Early", "Retry-After: 9", "Idempotency-Replayed: true", "", "HTTP/1.1 200", ""])
        #expect(head.isWhole && head.status == 200 && head.retryAfter == nil && !head.isReplay)
    }

    @Test("What follows the blank line changes nothing any more")
    func trailers() {
        let head = head(["HTTP/1.1 422 No", "", "HTTP/1.1 201 Created", "Idempotency-Replayed: true", ""])
        #expect(head.isWhole && head.status == 422 && !head.isReplay)
    }

    @Test("A head without its blank line is not whole")
    func cut() {
        #expect(!head(["HTTP/1.1 201 Created", "Content-Length: 0"]).isWhole)
        #expect(!head([]).hasBegun && head(["HTTP/1.1 201 Created"]).hasBegun)
    }

    @Test(
        "A first line without three digits has no status",
        arguments: [
            "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 2000 OK", "HTTP/1.1 20 OK", "HTTP/1.1 abc", "HTTP/1.1 ２００ OK",
            "HTTP/1.1 -01 OK", "HTTP/1.1 +20 OK",
        ])
    func status(line: String) {
        #expect(head([line, ""]).status == 0)
    }

    @Test("A head that does not end is not read to the end, also if it is many heads")
    func tooLong() {
        for text in ["X-A: b\r\n", "\r\n", String(repeating: "a", count: 100_000)] {
            var head = ReplyHead()
            let line = Array(text.utf8)
            let most = ReplyHead.maximumSize / line.count
            let taken = (0...(most + 1)).prefix { _ in line.withUnsafeBytes { head.take($0) } == nil }
            #expect(taken.count == most)
        }
    }

    @Test(
        "A head of which two readers could make two answers is none",
        arguments: [
            ["Content-Length: 5", "Content-Length: 6"], ["Content-Length: 5", "content-length: 5"],
            ["Content-Length: 5, 6"], ["Content-Length: +5"], ["Content-Length: 0x5"], ["Content-Length: "],
            ["Content-Length: 18446744073709551621"], ["Content-Length: 5", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: chunked", "Content-Length: 5"], ["Transfer-Encoding: gzip, chunked"],
            ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], ["Transfer-Encoding: identity"],
            ["Content-Encoding: gzip"], ["Content-Length : 5"], [" Content-Length: 5"],
            ["X: a", "\tContent-Length: 5"],
            ["Content-Type: application/json", "Content-Type: text/html"], ["Location: /a", "Location: /b"],
            ["X: a\rContent-Length: 5"], ["X: a\u{0}b"], ["no field"], [": x"], ["HTTP/1.1 422 No"],
        ])
    func ambiguous(fields: [String]) {
        var head = ReplyHead()
        let ends = (["HTTP/1.1 201 Created"] + fields).map { line in
            Array("\(line)\r\n".utf8).withUnsafeBytes { head.take($0) }
        }
        #expect(ends.last == .ambiguous && ends.dropLast().allSatisfy { $0 == nil })
    }

    @Test("Nor is one that begins with what cannot say where a body ends")
    func ambiguousBeginnings() {
        for lines in [["HTTP/1.1 103 Early", "Content-Length: 5"], ["HTTP/1.0 200 OK", "Transfer-Encoding: chunked"]] {
            var head = ReplyHead()
            let ends = lines.map { line in Array("\(line)\r\n".utf8).withUnsafeBytes { head.take($0) } }
            #expect(ends == [nil, .ambiguous])
        }
    }

    @Test("Any bytes are a head, and none a trap; seed 6")
    func garbage() {
        var random = SeededRandom(seed: 6)
        for _ in 0..<20_000 {
            var head = ReplyHead()
            for _ in 0..<3 {
                let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? UInt8.random(in: 0...255, using: &random)
                        : Array("HTTP/1 :\r\n".utf8).randomElement(using: &random) ?? 0
                }
                _ = bytes.withUnsafeBytes { head.take($0) }
            }
            #expect(head.status == 0 || (100...999).contains(head.status))
        }
    }
}
