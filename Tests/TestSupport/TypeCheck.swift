import Foundation

/// What the compiler says about a program that uses the modules of this build; empty if it compiles.
public func compilerErrors(of source: String) async throws -> String {
    let folder = try TemporaryFolder()
    let file = folder.appending("main.swift")
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    let modules = try productsFolder().appending(path: "Modules").path
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").path
    let maps = ["CSQLite", "CSodium", "CCurl/include"].flatMap {
        ["-Xcc", "-fmodule-map-file=\(sources)/\($0)/module.modulemap"]
    }
    let flags = ["-swift-version", "6", "-module-cache-path", folder.appending("cache"), "-I", modules]
    let finished = try await Program("swiftc", ["-typecheck"] + flags + maps + [file]).run(within: .seconds(120))
    guard finished.exit != .code(0) else { return "" }
    return finished.stderr
}
