import Foundation
import TestSupport
import Testing

@Suite struct TemporaryFolderTests {
    @Test("A search for bytes finds every file that holds them, in subfolders as well")
    func bytesAreFoundInAllFiles() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.appending("a/b"), withIntermediateDirectories: true)
        let files: [String: [UInt8]] = [
            "a/b/deep": [0, 255, 7, 8], "begin": [7, 8, 0], "known": [7, 8], "apart": [7, 0, 8], "empty": [],
        ]
        for (name, bytes) in files {
            try Data(bytes).write(to: URL(filePath: folder.appending(name)))
        }
        #expect(try folder.occurrences(of: [7, 8], except: ["known"]) == ["a/b/deep", "begin"])
        #expect(try folder.occurrences(of: [9]) == [])
        #expect(throws: Failure.self) { try folder.occurrences(of: []) }
    }

    @Test("A temporary folder is removed together with its contents")
    func itIsRemovedWithItsContents() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder?.path)
        try Data([1]).write(to: URL(filePath: path + "/file"))
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
