import Foundation
import FoyerModel
import Glibc
import TestSupport

@testable import FoyerMockNetwork

/// One end of a connection on which a test sends the bytes that it wants, and sees those that come.
final class RawClient: Sendable {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure("connect: \(String(cString: strerror(errno)))") }
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// How a connection came to its end.
    enum End: Sendable { case fin, reset, silence, enough }

    struct Received: Sendable {
        let bytes: [UInt8]
        let end: End
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Reads until the connection ends, or so many bytes were there, or nothing comes for ten seconds.
    func receive(atMost count: Int = .max) async -> Received {
        await onThread { [descriptor] in
            var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 65536)
            while bytes.count < count {
                let read = uninterrupted { recv(descriptor, &part, min(part.count, count - bytes.count), 0) }
                if read == 0 { return Received(bytes: bytes, end: .fin) }
                if read < 0 { return Received(bytes: bytes, end: errno == ECONNRESET ? .reset : .silence) }
                bytes += part.prefix(read)
            }
            return Received(bytes: bytes, end: .enough)
        }
    }

    /// Reads one whole answer and no byte more, by its Content-Length; nil where none came.
    func answer() async -> RawAnswer? {
        await onThread { self.answerNow() }
    }

    /// The same, on this thread.
    func answerNow() -> RawAnswer? {
        var bytes: [UInt8] = [], left = 1
        while left > 0 {
            var part = [UInt8](repeating: 0, count: left)
            let count = uninterrupted { recv(descriptor, &part, left, 0) }
            guard count > 0 else { return nil }
            bytes += part.prefix(count)
            left = RawAnswer.missing(in: bytes)
        }
        return RawAnswer(bytes)
    }
}

/// Reads again after a signal: with a time limit on a socket, the system does not do that by itself.
private func uninterrupted(_ read: () -> Int) -> Int {
    while true {
        let count = read()
        if count >= 0 || errno != EINTR { return count }
    }
}

/// Runs what waits on a thread of its own, because tests share few.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

/// A whole answer of HTTP.
struct RawAnswer: Sendable, CustomStringConvertible {
    let status: Int
    /// By name in lower case.
    let headers: [String: String]
    let body: [UInt8]

    /// Nil while the bytes are no whole answer, or more than one.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return nil }
        let pairs = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
        }
        headers = Dictionary(pairs) { "\($0), \($1)" }
        self.status = status
        body = Array(bytes[end.upperBound...])
        guard body.count == Int(headers["content-length"] ?? "0") else { return nil }
    }

    /// How many bytes more there are at least.
    static func missing(in bytes: [UInt8]) -> Int {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            let ending = Array("\r\n\r\n".utf8)
            return 4 - ((1...3).last { bytes.suffix($0) == ending.prefix($0) } ?? 0)
        }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length = head.firstMatch(of: #/(?i)\r\ncontent-length: (\d+)/#).flatMap { Int($0.1) } ?? 0
        return length - (bytes.count - end.upperBound)
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    var description: String { "\(status) \(text)" }
    /// The same answer as the in-process network gives it.
    var answer: Answer {
        Answer(NetworkReply(status: status, body: body, isReplay: headers["idempotency-replayed"] == "true"))
    }
}
