import FoyerModel
import FoyerPlatform
import Synchronization

/// Listens on 127.0.0.1, and serves every connection on a thread of its own.
///
/// Its threads wait for the network and for answers; so they are none of the few that Swift's tasks run on.
final class HTTPListener: Sendable {
    /// What is done with a connection; it is closed afterwards.
    typealias Service = @Sendable (HTTPConnection) -> Void

    /// The port cannot be had.
    struct Failure: Error {
        let reason: String
    }

    let port: UInt16
    private let descriptor: Int32
    private let limits: HTTPLimits
    private let service: Service
    private let state = Mutex(State())

    private struct State {
        var isStopping = false
        var connections: [Int32: HTTPConnection] = [:]
        /// The accepting thread, and one for each connection.
        var threads = 0
        var whenEnded: CheckedContinuation<Void, Never>?
    }

    /// Listens from here on; port 0 takes a free one.
    init(port: UInt16, limits: HTTPLimits, service: @escaping Service) throws(Failure) {
        self.limits = limits
        self.service = service
        (descriptor, self.port) = try Self.listening(on: port)
    }

    /// Begins to accept connections.
    func start() {
        spawn { $0.acceptAll() }
    }

    /// Cuts all connections, and returns when every thread has ended; nothing happens the second time.
    func stop() async {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard isFirst else { return }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                for connection in state.connections.values { connection.cut() }
                if state.threads > 0 { state.whenEnded = continuation }
                return state.threads == 0
            }
            if isOver { continuation.resume() }
        }
        close(descriptor)
    }

    // MARK: Threads

    private func acceptAll() {
        while !state.withLock({ $0.isStopping }) {
            // With a limit, because closing or shutting down a listening socket wakes no thread on every system.
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 50) > 0 else { continue }
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else {
                // Most likely no descriptor is free; one will be when a connection ends.
                poll(nil, 0, 20)
                continue
            }
            prepare(client)
            serve(HTTPConnection(descriptor: client, limits: limits))
        }
    }

    private func serve(_ connection: HTTPConnection) {
        let isRoom = state.withLock { state in
            guard state.connections.count < limits.connections, !state.isStopping else { return false }
            state.connections[connection.descriptor] = connection
            return true
        }
        guard isRoom else {
            let answer = HTTPResponse.problem(.tooManyConnections)
            connection.write(answer.bytes(at: FoyerEnvironment.system.now(), closing: true))
            close(connection.descriptor)
            return
        }
        spawn { listener in
            listener.service(connection)
            // Forgotten first: a number that was closed may belong to somebody else at once.
            listener.state.withLock { _ = $0.connections.removeValue(forKey: connection.descriptor) }
            close(connection.descriptor)
        }
    }

    private func spawn(_ body: @escaping @Sendable (HTTPListener) -> Void) {
        state.withLock { $0.threads += 1 }
        OwnThread.start {
            body(self)
            let last = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
                state.threads -= 1
                return state.threads == 0 ? state.whenEnded : nil
            }
            last?.resume()
        }
    }

    // MARK: Sockets

    private static func listening(on port: UInt16) throws(Failure) -> (Int32, UInt16) {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        doNotInherit(descriptor)
        // A client can be gone again before it is accepted: that must not hold up the next ones.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 512) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw Failure(reason: reason)
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private func prepare(_ client: Int32) {
        Self.doNotInherit(client)
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
        #if canImport(Darwin)
        setsockopt(client, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
        #endif
    }

    private static func doNotInherit(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
