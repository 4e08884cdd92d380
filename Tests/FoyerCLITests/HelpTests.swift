import Foundation
import TestSupport
import Testing

/// The help in all its forms, the manual page and the reference: one description behind them.
@Suite(.timeLimit(.minutes(3))) struct HelpTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every command, as the reference names it.
    private static func commands(_ household: Household) async throws -> [[String]] {
        let page = try await household.foyer("help", "--markdown").stdout
        let commands = page.split(separator: "\n").filter { $0.hasPrefix("## foyer ") || $0.hasPrefix("### foyer ") }
            .map { $0.split(separator: " ").dropFirst(2).map { String($0) } }
        try #require(commands.count > 25)
        return commands
    }

    @Test("All forms of the help say the same, with examples first, in 80 columns")
    func allFormsOfTheHelpSayTheSame() async throws {
        let household = try Household()
        let help = try await household.foyer("help")
        #expect(help.exit == .code(0) && help.stderr == "")
        for form in [["--help"], ["-h"], ["--help", "--no-input"]] {
            #expect(try await household.foyer(form).stdout == help.stdout)
        }
        for command in try await Self.commands(household) {
            let told = try await household.foyer(["help"] + command)
            #expect(told.exit == .code(0) && told.stderr == "", "\(command)")
            // Arguments that would be needed are not missed, and what was meant as one does not matter.
            for form in [command + ["--help"], ["-h"] + command, command + ["4c21f0a9", "--help"]] {
                if form.contains("4c21f0a9"), command == ["help"] { continue }
                #expect(try await household.foyer(form).stdout == told.stdout, "\(form)")
            }
            let lines = told.stdout.split(separator: "\n", omittingEmptySubsequences: false)
            let example = try #require(lines.firstIndex(of: "Examples"), "\(command)")
            #expect(example < (lines.firstIndex(of: "Usage") ?? 0), "\(command)")
            for line in lines
            where !line.hasPrefix("  sqlite3 ") && !line.hasPrefix("  foyer ") && !line.hasPrefix("  printf ") {
                #expect(line.count <= 80, "\(line)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.folder.path) == [])
    }

    @Test("Each help topic is explained in 80 columns", arguments: ["exit-codes", "environment", "config-files"])
    func topicsAreExplained(topic: String) async throws {
        let told = try await Household().foyer("help", topic)
        #expect(told.exit == .code(0))
        #expect(told.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let expected = ["exit-codes": "75", "environment": "FOYER_DATABASE", "config-files": "network"][topic] ?? ""
        #expect(told.stdout.contains(expected))
    }

    @Test("The command reference is exactly what the program prints")
    func theReferenceIsWhatTheProgramSays() async throws {
        let page = String(
            decoding: try Data(contentsOf: Self.package.appending(path: "Documentation/commands.md")), as: UTF8.self)
        let said = try await Household().foyer("help", "--markdown").stdout
        #expect(page == said, "`foyer help --markdown > Documentation/commands.md` writes it anew")
    }

    @Test("The manual page is set without a warning and has every command")
    func theManualPageIsSetWithoutAWarning() async throws {
        let household = try Household()
        let source = household.folder.appending("foyer.1")
        let page = try await household.foyer("help", "--man").stdout
        try page.write(toFile: source, atomically: true, encoding: .utf8)
        let set = try await Program("man", ["--warnings", "-l", source], environment: ["LC_ALL": "C.UTF-8"]).run()
        #expect(set.exit == .code(0))
        #expect(set.stderr == "")
        for command in try await Self.commands(household) {
            #expect(set.stdout.contains("foyer \(command.joined(separator: " "))"), "\(command)")
        }
        #expect(set.stdout.contains("ENVIRONMENT") && set.stdout.contains("EXIT STATUS"))
    }

    @Test("The version is one line, and its JSON object adds the versions of what is inside")
    func theVersionIsOneLineAndTheObjectSaysOfWhat() async throws {
        let household = try Household()
        for words in [["--version"], ["-V"], ["version"]] {
            let told = try await household.foyer(words)
            #expect(told.stdout.wholeMatch(of: /foyer \d+\.\d+\.\d+\n/) != nil)
        }
        let object = try await household.foyer("version", "--json").object()
        #expect(Set(object.keys) == ["schema", "version", "sqlite", "libsodium", "schema_version"])
        #expect(object["schema_version"] as? Int ?? 0 > 0)
    }
}

/// How the words of a line are understood.
@Suite(.timeLimit(.minutes(2))) struct ParsingTests {
    @Test(
        "A misspelt word gets a suggestion and is not carried out",
        arguments: [
            (["regsiter"], "Did you mean register?"), (["flwos"], "Did you mean flows?"),
            (["users", "erse", "x"], "Did you mean erase?"), (["db", "pth"], "Did you mean path?"),
            (["flows", "--jsno"], "Did you mean --json?"), (["--databse", "x", "flows"], "Did you mean --database?"),
            (["flows", "--color", "nevr"], "Did you mean never?"), (["completions", "bsh"], "Did you mean bash?"),
            (["app", "--start", "logn"], "Did you mean login?"), (["help", "exit-code"], "Did you mean exit-codes?"),
            (["flows", "--no-inptu"], "Did you mean --no-input?"),
        ])
    func whatWasProbablyMeantIsNamedAndNotDone(words: [String], suggestion: String) async throws {
        let household = try Household()
        let told = try await household.foyer(words)
        #expect(told.exit == .code(64))
        #expect(told.stderr.contains(suggestion), "\(told.stderr)")
        #expect(told.stdout == "")
    }

    @Test(
        "A flag of other commands is refused, with those that there are",
        arguments: [
            ["flows", "--yes"], ["flows", "--watch"], ["users", "--output", "x"], ["sync", "--port", "1"],
            ["users", "--dry-run"], ["db", "path", "-y"], ["register", "--dry-run"], ["--start", "login", "flows"],
        ])
    func aFlagBelongsToTheCommandsThatReadIt(words: [String]) async throws {
        let told = try await Household().foyer(words)
        #expect(told.exit == .code(64))
        #expect(told.stderr.contains("has no flag") && told.stderr.contains("--database"), "\(told.stderr)")
    }

    @Test(
        "Nothing is abbreviated",
        arguments: [["--js", "flows"], ["flow"], ["users", "exp", "x"], ["flows", "--dat=x"]])
    func noAbbreviation(words: [String]) async throws {
        #expect(try await Household().foyer(words).exit == .code(64))
    }

    @Test("Flags may stand anywhere, and the last one counts")
    func flagsStandAnywhereAndTheLastOneCounts() async throws {
        let household = try Household()
        let lines = [
            ["--database", "/a", "db", "path", "--database", "/b"], ["db", "--database=/a", "--database=/b", "path"],
            ["--database=/b", "db", "path"], ["db", "path", "--database", "/b", "--"],
        ]
        for words in lines { #expect(try await household.foyer(words).stdout == "/b\n", "\(words)") }
        let equals = try await household.foyer("db", "path", "--database=/a=b")
        #expect(equals.stdout == "/a=b\n")
        // What stands behind `--`, and a lone dash, are no flags.
        for words in [["show", "--", "--json"], ["show", "-"]] {
            let told = try await household.foyer(words)
            #expect(told.exit == .code(66) && told.stdout == "", "\(words): \(told.stderr)")
        }
        #expect(try await household.foyer("-hV").stdout == household.foyer("help", "version").stdout)
    }
}
