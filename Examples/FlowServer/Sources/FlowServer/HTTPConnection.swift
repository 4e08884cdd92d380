import Foundation
import Glibc
import Synchronization

/// One connection, on a thread of its own; closed with the value.
package struct HTTPConnection: ~Copyable {
    /// Who says nothing for so long is not waited for.
    private static let patience = 10

    private let descriptor: Int32

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// What has come, as soon as there is anything; nil at the end.
    package func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// Writes as much as the other side takes.
    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads a request, and writes what the handler says to it.
    consuming func serve(_ handler: @escaping HTTPServer.Handler) {
        do throws(HTTPResponse) {
            let request = try HTTPRequest(from: self)
            write(waitOnThisThread { await handler(request) }.bytes)
        } catch {
            write(error.bytes)
            // Closed at once, what it still sends would make its system throw the answer away.
            shutdown(descriptor, Int32(SHUT_WR))
            var parts = 0
            while parts < 16, read() != nil { parts += 1 }
        }
    }
}

/// Waits for what a task gives; never to be called on a thread of Swift's tasks.
private func waitOnThisThread(_ body: @escaping @Sendable () async -> HTTPResponse) -> HTTPResponse {
    let result = Result(), done = DispatchSemaphore(value: 0)
    Task.detached {
        let response = await body()
        result.response.withLock { $0 = response }
        done.signal()
    }
    done.wait()
    return result.response.withLock { $0 } ?? .problem(500, "Nobody answered.")
}

private final class Result: Sendable {
    let response = Mutex<HTTPResponse?>(nil)
}
