import Foundation

/// A folder of its own for one test, removed with all that is in it when the test lets go of it.
public final class TemporaryFolder: Sendable {
    /// Where it is, without a slash at the end.
    public let path: String

    /// Makes the folder, for this user alone.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "foyer-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in the folder; nothing is made.
    public func appending(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// The files, also in folders below, whose bytes contain `needle`: sorted, and relative like those to leave out. One
    /// that a running program removes meanwhile has nothing in it.
    public func occurrences(of needle: [UInt8], except ignored: Set<String> = []) throws -> [String] {
        guard !needle.isEmpty else { throw Failure("nothing to look for") }
        return try FileManager.default.subpathsOfDirectory(atPath: path).sorted().filter { file in
            do {
                let attributes = try FileManager.default.attributesOfItem(atPath: appending(file))
                guard attributes[.type] as? FileAttributeType == .typeRegular, !ignored.contains(file) else {
                    return false
                }
                let bytes = try Data(contentsOf: URL(filePath: appending(file)))
                return bytes.range(of: Data(needle)) != nil
            } catch CocoaError.fileReadNoSuchFile {
                return false
            }
        }
    }
}
