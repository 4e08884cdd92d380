import CPseudoTerminal
import Foundation
import Glibc

/// The memory of another program, all of it: heap, stacks, and the pages that it may not read itself.
public struct ProcessMemory: Sendable {
    private let process: Int32

    /// The memory of the process of that number.
    public init(of process: Int32) {
        self.process = process
    }

    /// Whether the system lets us look: a program that refuses to be dumped shows itself to CAP_SYS_PTRACE alone.
    public static var isReadable: Bool {
        get throws {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
            let capabilities = line.flatMap { UInt64($0.dropFirst(7).drop(while: \.isWhitespace), radix: 16) } ?? 0
            return capabilities & (1 << 19) != 0
        }
    }

    /// Where any of the texts stands, each place with the name of its mapping; the program is stopped meanwhile.
    public func places(of needles: [[UInt8]]) async throws -> [String] {
        try await onOwnThread { try whileStopped { try search(for: needles) } }
    }

    private func whileStopped<Value>(_ body: () throws -> Value) throws -> Value {
        guard kill(process, SIGSTOP) == 0 else { throw Failure(call: "kill") }
        defer { kill(process, SIGCONT) }
        let deadline = Deadline(after: .seconds(10))
        while try !isStopped {
            if deadline.hasPassed { throw Failure("\(process) does not stop") }
            poll(nil, 0, 1)
        }
        return try body()
    }

    /// Every thread of it: one may be inside of a call of the system still.
    private var isStopped: Bool {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").allSatisfy { thread in
                let stat = try String(contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8)
                // The name stands in parentheses, and may be anything.
                return stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].dropFirst(2).first == "T"
            }
        }
    }

    private func search(for needles: [[UInt8]]) throws -> [String] {
        let memory = Descriptor(open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC))
        guard memory.isOpen else { throw Failure(call: "open of /proc/\(process)/mem") }
        return try maps().split(separator: "\n").flatMap { line -> [String] in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            let bounds = words[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
            guard bounds.count == 2, bounds[1] <= Int.max else { return [] }
            // What is mapped of a file and cannot be written is what stands in that file.
            if words.count > 5, words[5].hasPrefix("/"), !words[1].contains("w") { return [] }
            let name = "\(words[1]) \(words.count > 5 ? words[5] : "anonymous")"
            return Self.places(of: needles, from: bounds[0], to: bounds[1], in: memory).map {
                "\(String(decoding: needles[$0.needle], as: UTF8.self)) in \(name)+\(String($0.offset, radix: 16))"
            }
        }
    }

    /// The kernel gives it in pieces, after the first of which Foundation stops.
    private func maps() throws -> String {
        let file = Descriptor(open("/proc/\(process)/maps", O_RDONLY | O_CLOEXEC))
        guard file.isOpen else { throw Failure(call: "open of /proc/\(process)/maps") }
        var text: [UInt8] = []
        while file.isOpen { file.readAvailable(into: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func places(
        of needles: [[UInt8]], from start: UInt, to end: UInt, in memory: Descriptor
    ) -> [(needle: Int, offset: UInt)] {
        let overlap = (needles.map(\.count).max() ?? 1) - 1
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var places: [(needle: Int, offset: UInt)] = [], position = start
        while position < end {
            let count = pread(memory.number, &buffer, min(buffer.count, Int(end - position)), off_t(position))
            guard count > 0 else {
                position += 4_096  // not even the system can read this page
                continue
            }
            // What lies across two readings is found in the second.
            let isLast = position + UInt(count) >= end || count <= overlap
            let next = isLast ? count : count - overlap
            for (number, needle) in needles.enumerated() {
                for offset in offsets(of: needle, in: buffer, count) where offset < next {
                    places.append((number, position - start + UInt(offset)))
                }
            }
            position += UInt(next)
        }
        return places
    }

    private static func offsets(of needle: [UInt8], in buffer: [UInt8], _ count: Int) -> [Int] {
        buffer.withUnsafeBytes { bytes in
            var offsets: [Int] = [], from = 0
            while let base = bytes.baseAddress, let found = cpt_find(base + from, count - from, needle, needle.count) {
                offsets.append(base.distance(to: found))
                from = base.distance(to: found) + 1
            }
            return offsets
        }
    }
}
