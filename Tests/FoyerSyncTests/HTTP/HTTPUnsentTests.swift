import FoyerModel
import Glibc
import TestSupport
import Testing

@testable import FoyerSync

@Suite(.timeLimit(.minutes(2))) struct HTTPUnsentTests {
    @Test("Where nothing listens, nothing was sent (row 29)")
    func refused() async throws {
        let socket = try ListeningSocket(backlog: 1)
        close(socket.number)
        let result = await (try HTTPNetwork(to: "http://127.0.0.1:\(socket.port)")).result()
        #expect(result == .failure(.unreachable("127.0.0.1:\(socket.port): nothing answers there")))
        #expect(classOf(result) == "unsent")
    }

    @Test("A name that nobody has is unsent (row 29)")
    func unknownName() async throws {
        let result = await (try HTTPNetwork(to: "https://no-such-host.invalid", connect: .seconds(1))).result()
        #expect(Ending(result) == .unreachable && classOf(result) == "unsent")
    }

    @Test("Where no connection comes about in time, nothing was sent (row 29)")
    func blackHole() async throws {
        // The second connection fills the queue of a socket that nobody accepts from; the next ones get no answer.
        let socket = try ListeningSocket(backlog: 0)
        let fillers = (0..<4).map { _ in connecting(to: socket.port) }
        defer { (fillers + [socket.number]).forEach { close($0) } }
        let network = try HTTPNetwork(to: "http://127.0.0.1:\(socket.port)", connect: .milliseconds(300))
        let result = await network.result()
        #expect(result == .failure(.unreachable("127.0.0.1:\(socket.port): it took too long")))
    }

    @Test("A request that went out on a used connection may have arrived, though the next one is refused")
    func deadConnection() async throws {
        let server = try RawServer { connection in
            guard connection.request() != nil, connection.send(Answer.whole(404, "{}")) else { return }
            // libcurl sends on the used connection, sees it break, and finds nobody when it tries again.
            guard connection.request() != nil else { return }
            connection.stopListening()
            connection.reset()
        }
        let network = try server.client()
        _ = try await network.outcome(of: Sent.newKey())
        let result = await network.result()
        #expect(result == .failure(.interrupted("127.0.0.1:\(server.port): nothing answers there")))
        #expect(classOf(result) == "maybe sent" && server.requests.count == 2 && server.connections == 1)
    }

    private func connecting(to port: Int) -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return number
    }
}
