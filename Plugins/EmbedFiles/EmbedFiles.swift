import Foundation
import PackagePlugin

/// Compiles files of a target into it, so that a migration or a screen's template is one new file: every numbered
/// `.sql` file of its folder, and every `.json` file of its folder `Templates`.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let tool = try context.tool(named: "EmbedFilesTool").url
        func command(_ what: String, _ files: [URL]) -> Command {
            let output = context.pluginWorkDirectoryURL.appending(path: "Embedded\(what.capitalized)+All.swift")
            return .buildCommand(
                displayName: "Embedding \(files.count) \(what)", executable: tool,
                arguments: [what, output.path(percentEncoded: false)] + files.map { $0.path(percentEncoded: false) },
                inputFiles: files, outputFiles: [output])
        }
        let migrations = try files(in: target.directoryURL, endingIn: "sql")
        let templates = try files(in: target.directoryURL.appending(path: "Templates"), endingIn: "json")
        return [("migrations", migrations), ("templates", templates)].filter { !$0.1.isEmpty }.map(command)
    }

    private func files(in folder: URL, endingIn ending: String) throws -> [URL] {
        guard FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == ending }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
