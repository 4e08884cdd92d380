import FlowServer
import Foundation
import Foyer
import Glibc

/// Asks the server as a program on the other side would: a connection for each request, on the caller's thread.
struct Client {
    let port: UInt16

    /// No whole answer came.
    struct Interrupted: Error {}

    /// Sends a request until it is answered: the server may be away for a moment.
    func ask(_ method: String, _ path: String, body: Data = Data()) throws -> FlowAnswer? {
        for _ in 0..<200 {
            if let answer = try? askOnce(method, path, body) { return answer.isEmpty ? nil : try decode(answer) }
            usleep(100_000)
        }
        throw Interrupted()
    }

    private func decode(_ body: Data) throws -> FlowAnswer {
        try JSONDecoder().decode(FlowAnswer.self, from: body)
    }

    /// - Returns: the body; an empty one for 404.
    private func askOnce(_ method: String, _ path: String, _ body: Data) throws -> Data {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let connection = HTTPConnection(descriptor)
        var address = sockaddr_in(loopback: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard address.withPointer({ connect(descriptor, $0, size) }) == 0 else { throw Interrupted() }
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        connection.write(Array(head.utf8) + body)
        var answer = Data()
        while let part = connection.read() { answer += part }
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)),
            let status = Int(String(decoding: answer[..<end.lowerBound].dropFirst(9).prefix(3), as: UTF8.self))
        else { throw Interrupted() }
        switch status {
        case 200, 201: return Data(answer[end.upperBound...])
        case 404: return Data()
        default: throw Interrupted()
        }
    }
}
