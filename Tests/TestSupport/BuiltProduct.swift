import Foundation

/// The path of an executable that was built together with the running tests.
///
/// The build puts all its products into one folder, whatever the configuration, the build system and the scratch path;
/// the program that runs the tests is one of them.
public func builtProduct(_ name: String) throws -> String {
    let path = try productsFolder().appending(path: name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
        throw Failure("\(path) was not built: does the test target depend on it?")
    }
    return path
}

/// The folder of the program that runs the tests.
func productsFolder() throws -> URL {
    URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        .deletingLastPathComponent()
}
