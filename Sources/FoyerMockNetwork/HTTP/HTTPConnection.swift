import FoyerPlatform

/// The server's end of one TCP connection; used by one thread, except that any other may cut it.
struct HTTPConnection: Sendable {
    let descriptor: Int32
    let limits: HTTPLimits

    /// How the wait for bytes ended.
    enum Arrival: Equatable {
        case bytes([UInt8])
        case end
        case timeout
    }

    func read(until deadline: ContinuousClock.Instant) -> Arrival {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
            while waitFor(Int16(POLLIN), until: deadline) {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                if count > 0 { return .bytes(Array(buffer.prefix(count))) }
                // A signal ends no connection.
                guard count < 0, errno == EINTR || errno == EAGAIN else { return .end }
            }
            return .timeout
        }
    }

    /// Writes all of it; false when the client has gone or reads too slowly.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        let deadline = ContinuousClock.now + limits.answer
        var rest = bytes[...]
        while !rest.isEmpty {
            guard waitFor(Int16(POLLOUT), until: deadline) else { return false }
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, noSignal | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno != EAGAIN, errno != EINTR { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Waits without reading; ends early when the connection does.
    func wait(_ duration: Duration) {
        _ = waitFor(0, until: .now + duration)
    }

    /// Waits until the client goes away, or the server stops.
    func waitForEnd() {
        // What the client still sends has to be read, or its end is not seen.
        while read(until: .now + .seconds(3600)) != .end {}
    }

    /// Ends the connection such that the client can still read what was written to it.
    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
        let deadline = ContinuousClock.now + .seconds(1)
        var left = 1024 * 1024
        while left > 0, case .bytes(let bytes) = read(until: deadline) { left -= bytes.count }
    }

    /// Makes the coming close a reset: what the client has not read yet is lost.
    func resetAtClose() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Ends every wait of the connection's own thread.
    func cut() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Whether one of the events came, or the connection ended, before the deadline.
    private func waitFor(_ events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            let milliseconds = min(left / .milliseconds(1), 60_000)
            if poll(&entry, 1, Int32(milliseconds.rounded(.up))) > 0 { return true }
        }
    }
}

#if canImport(Darwin)
private let noSignal: Int32 = 0  // There, the option SO_NOSIGPIPE is set on each socket.
#else
private let noSignal = Int32(MSG_NOSIGNAL)
#endif
