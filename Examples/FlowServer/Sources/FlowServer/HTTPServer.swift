import Foundation
import Glibc
import Synchronization

/// A small HTTP server for this machine alone: a thread for each connection, one request on each.
///
/// Its threads wait for clients, so they are none of the few that Swift's tasks run on. For other machines, put a
/// server in front of it that speaks TLS.
public final class HTTPServer: Sendable {
    public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    /// The port cannot be had.
    public struct Failure: Error {
        public let reason = String(cString: strerror(errno))
    }

    public let port: UInt16
    private let descriptor: Int32
    private let isStopping = Mutex(false)

    /// Listens on 127.0.0.1 from now on; port 0 takes a free one.
    public init(port: UInt16) throws(Failure) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in(loopback: port)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = address.withPointer {
            bind(descriptor, $0, size) == 0 && listen(descriptor, 512) == 0 && getsockname(descriptor, $0, &size) == 0
        }
        guard isListening else { throw Failure() }
        self.descriptor = descriptor
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// Serves until `stop`; returns when the last connection has been answered.
    public func run(_ handler: @escaping Handler) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                self.acceptUntilStopped(handler)
                continuation.resume()
            }
        }
    }

    /// Accepts nobody any more.
    public func stop() {
        isStopping.withLock { $0 = true }
    }

    private func acceptUntilStopped(_ handler: @escaping Handler) {
        let connections = DispatchGroup(), places = DispatchSemaphore(value: 256)
        while !isStopping.withLock({ $0 }) {
            // With a limit, because closing a listening socket wakes nobody.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            places.wait()
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else {
                places.signal()
                continue
            }
            connections.enter()
            Thread.detachNewThread {
                HTTPConnection(client).serve(handler)
                places.signal()
                connections.leave()
            }
        }
        close(descriptor)
        connections.wait()
    }
}

extension sockaddr_in {
    package init(loopback port: UInt16) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = port.bigEndian
        sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    }

    /// Lends itself as the type that the calls for sockets take.
    package mutating func withPointer<Result>(_ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result {
        withUnsafeMutablePointer(to: &self) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }
}
