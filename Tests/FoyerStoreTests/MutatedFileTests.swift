import Foundation
import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

/// Database files with random damage: nothing crashes or hangs, and what is refused is left as it was.
///
/// FUZZ_FILES says how many are tried (150), FUZZ_SEED with which seed; the same one damages the same bytes again.
@Suite(.timeLimit(.minutes(30))) struct MutatedFileTests {
    private static func variable(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// A database and its log.
    struct Files: Equatable {
        var database: Data
        var log: Data?

        init(at path: String) throws {
            database = try Data(contentsOf: URL(filePath: path))
            log = try? Data(contentsOf: URL(filePath: path + "-wal"))
            if log?.isEmpty == true { log = nil }
        }

        func write(to path: String) throws {
            for (data, suffix) in [(database, ""), (log, "-wal"), (nil, "-shm")] {
                try? FileManager.default.removeItem(atPath: path + suffix)
                guard let data else { continue }
                let isMade = FileManager.default.createFile(
                    atPath: path + suffix, contents: data, attributes: [.posixPermissions: 0o600])
                guard isMade else { throw Failure("\(path + suffix) could not be made") }
            }
        }
    }

    /// Some flipped bytes, a stretch of garbage or zeros, a moved stretch, or an end that came too early.
    private static func damage(_ data: inout Data, _ random: inout SeededRandom) {
        let count = data.count, place = random.below(count), length = min(1 + random.below(512), count - place)
        switch random.below(6) {
        case 0: data = data.prefix(place)
        case 1: data.replaceSubrange(place..<place + length, with: Data(count: length))
        case 2:
            data.replaceSubrange(
                place..<place + length, with: Data((0..<length).map { _ in UInt8(random.below(256)) }))
        case 3: data.replaceSubrange(place..<place + length, with: Data(data.prefix(length)))
        // The header and the schema deserve more than their share.
        case 4: for _ in 0...random.below(4) { data[random.below(min(count, 4096))] ^= UInt8(1 + random.below(255)) }
        default: for _ in 0...random.below(16) { data[random.below(count)] ^= UInt8(1 + random.below(255)) }
        }
    }

    /// A closed database, and one with half of it in the log.
    private static func originals() async throws -> (scene: Scene, files: [Files]) {
        let closed = try await HostileFileTests.closedScene(), open = try await HostileFileTests.closedScene()
        let store = try await open.another()
        for name in ["third", "fourth"] {
            try await open.add(Person(email: "\(name)@example.org", userName: name), to: store)
        }
        // Copied by another process, because closing a descriptor here would drop SQLite's locks.
        let folder = try TemporaryFolder()
        for suffix in ["", "-wal"] {
            _ = try await Program("cp", [open.database + suffix, folder.appending("a.db") + suffix]).run()
        }
        let files = [try Files(at: closed.database), try Files(at: folder.appending("a.db"))]
        try await store.close()
        try #require(files[0].log == nil && (files[1].log?.count ?? 0) > 4096)
        withExtendedLifetime((folder, open)) {}
        return (closed, files)
    }

    @Test("A randomly damaged database file ends in a typed result and never in a crash")
    func damagedFilesEndInTypedResults() async throws {
        let seed = Self.variable("FUZZ_SEED") ?? 7, count = Int(Self.variable("FUZZ_FILES") ?? 150)
        let isAlone = Self.variable("FUZZ_FILES") != nil
        let (scene, originals) = try await Self.originals()
        var results: [String: Int] = [:], slowest = Duration.zero
        for number in 0..<count {
            var random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number))
            var files = originals[number % 2]
            if var log = files.log, random.below(2) == 0 {
                Self.damage(&log, &random)
                files.log = log.isEmpty ? nil : log
            } else {
                Self.damage(&files.database, &random)
            }
            try files.write(to: scene.database)
            let start = ContinuousClock.now
            let result = try await Self.outcome(of: files, in: scene, "seed \(seed), file \(number)")
            slowest = max(slowest, ContinuousClock.now - start)
            results[result, default: 0] += 1
            #expect(result != "store_failed", "seed \(seed), file \(number)")
            // Among other tests, waiting for them would count.
            let took = ContinuousClock.now - start
            #expect(!isAlone || took < .seconds(5), "seed \(seed), file \(number)")
        }
        print("\(count) damaged files, seed \(seed), slowest \(slowest): \(results.sorted { $0.key < $1.key })")
        #expect(count < 100 || results.count > 3)
    }

    /// Examines, opens and reads the file; what is refused must be as it was.
    private static func outcome(of files: Files, in scene: Scene, _ which: Comment) async throws -> String {
        let findings = try await Repositories.examine(at: scene.database, key: .file(scene.keyFile))
        #expect(try Files(at: scene.database) == files, which)
        let store: Repositories
        do {
            store = try await scene.another()
        } catch let error as StoreError {
            #expect(try Files(at: scene.database) == files, which)
            return "\(error.code.rawValue) at opening"
        }
        do {
            try await HostileFileTests.readAll(store)
            try await store.close()
            return findings.allSatisfy(\.isFine) ? "read" : "read, and found by the examination"
        } catch let error as StoreError {
            try await store.close()
            return error.code.rawValue
        }
    }
}

extension Scene {
    /// The first answer of a registration, through another store than the scene's own.
    fileprivate func add(_ person: Person, to store: Repositories) async throws {
        _ = try await store.commit(change(newFlow(), answers: person.answers[0...0], step: "userName"))
    }
}
