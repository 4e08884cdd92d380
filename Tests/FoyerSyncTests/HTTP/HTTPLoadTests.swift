import FoyerModel
import Foundation
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerSync

@Suite(.disabled(if: isSanitized), .timeLimit(.minutes(5))) struct HTTPLoadTests {
    /// What a process holds: descriptors, and kilobytes of memory.
    struct Holdings {
        let descriptors: Int
        let kilobytes: Int

        static func now() throws -> Holdings {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
            guard let kilobytes = Int(line.filter(\.isNumber)) else { throw Failure("no VmRSS in /proc/self/status") }
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            return Holdings(descriptors: descriptors, kilobytes: kilobytes)
        }
    }

    /// Sends so many requests, 64 at a time.
    static func send(_ count: Int, to network: HTTPNetwork) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<64 {
                group.addTask {
                    for _ in 0..<(count / 64 + (worker < count % 64 ? 1 : 0)) {
                        guard try await network.submit(Sent.request()).status == 201 else { throw Failure("not 201") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Of 10,000 requests, 64 at a time, the last 9,000 take no descriptor and no memory")
    func steady() async throws {
        // In a process of its own, where nobody else opens files.
        let ended = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let server = try RawServer { connection in
                // All connections are there from the beginning, however slow the machine is.
                while connection.request() != nil, connection.waitForConnections(64) {
                    guard connection.send(Answer.whole()) else { return }
                }
            }
            let network = try server.client()
            try await Self.send(1000, to: network)
            let before = try Holdings.now()
            let start = ContinuousClock.now
            try await Self.send(9000, to: network)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let after = try Holdings.now()
            print("descriptors \(before.descriptors) → \(after.descriptors), \(Int(9000 / seconds)) requests/s,")
            print("memory \(before.kilobytes) → \(after.kilobytes) kB")
            guard after.descriptors <= before.descriptors + 4, after.kilobytes <= before.kilobytes + 4096 else {
                exit(2)
            }
            exit(server.requestCount == 10_000 && server.connections == 64 ? 0 : 3)
        }
        print(String(decoding: ended?.standardOutputContent ?? [], as: UTF8.self))
    }

    @Test("An answer of 10 GB takes no memory")
    func flood() async throws {
        let ended = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let server = try RawServer { connection in
                guard connection.request() != nil else { return }
                connection.send("HTTP/1.1 201 Created\r\nContent-Length: 10737418240\r\n\r\n")
                let part = [UInt8](repeating: 0x20, count: 65_536)
                for _ in 0..<163_840 where !connection.send(part) { return }
            }
            let network = try server.client()
            _ = await network.result()
            let before = try Holdings.now()
            for _ in 0..<20 where Ending(await network.result()) != .malformed { exit(2) }
            let after = try Holdings.now()
            print("memory \(before.kilobytes) → \(after.kilobytes) kB in 20 answers, \(server.sentBytes >> 10) kB sent")
            exit(after.kilobytes <= before.kilobytes + 4096 ? 0 : 3)
        }
        print(String(decoding: ended?.standardOutputContent ?? [], as: UTF8.self))
    }
}
