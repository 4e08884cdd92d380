import Dispatch
import FoyerPlatform

/// Says when the machine's connections change, such as when a network comes up.
///
/// It may only shorten a wait: whether the server can be reached is found out by sending alone.
enum ConnectionChanges {
    /// One element for what has changed since the last one; empty where the system tells nobody.
    static func stream() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            #if os(Linux)
            guard let socket = listen() else { return continuation.finish() }
            // nonisolated(unsafe): a source of Dispatch may be cancelled from any thread.
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .global())
            source.setEventHandler { @Sendable in
                drain(socket)
                continuation.yield()
            }
            source.setCancelHandler { @Sendable in close(socket) }
            continuation.onTermination = { _ in source.cancel() }
            source.resume()
            #else
            continuation.finish()
            #endif
        }
    }

    #if os(Linux)
    /// A socket on which the kernel tells of links, addresses and routes (rtnetlink(7)).
    private static func listen() -> Int32? {
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_NETLINK, kind, 0)
        guard socket >= 0 else { return nil }
        // RTMGRP_LINK, and _IFADDR and _ROUTE of IPv4 and IPv6.
        let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
        // struct sockaddr_nl, which Swift does not know; the last number only fills up a struct sockaddr.
        var address = (family: UInt16(AF_NETLINK), padding: UInt16(0), port: UInt32(0), groups: groups, rest: UInt32(0))
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, 12) }
        }
        guard status == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Takes what was told out of the way: that something has changed is enough.
    private static func drain(_ socket: Int32) {
        var bytes = [UInt8](repeating: 0, count: 8192)
        while recv(socket, &bytes, bytes.count, 0) > 0 {}
    }
    #endif
}
