import Foundation

/// One rule about the sources: gives what breaks it, in words that name the line.
struct Check: Sendable {
    let name: String
    let problems: @Sendable (SourceFile) -> [String]

    init(_ name: String, problems: @escaping @Sendable (SourceFile) -> [String]) {
        self.name = name
        self.problems = problems
    }

    /// A rule that looks at one line at a time.
    init(_ name: String, line isBroken: @escaping @Sendable (SourceFile.Line, SourceFile) -> Bool) {
        self.init(name) { file in
            file.lines.filter { isBroken($0, file) }.map { "\(file.path):\($0.number): \(name)" }
        }
    }
}

extension Check {
    /// Which rooms each room may import: only such as stand above it.
    static let rooms: [String: Set<String>] = [
        "CSQLite": [], "FoyerCSodium": [], "FoyerCCurl": [], "FoyerCProcess": [], "FoyerPlatform": [],
        "FoyerModel": ["FoyerPlatform", "FoyerCSodium"],
        "FoyerSQLite": ["FoyerPlatform", "CSQLite"],
        "FoyerMigrations": [],
        "FoyerStore": ["FoyerPlatform", "FoyerModel", "FoyerSQLite", "FoyerMigrations", "FoyerCSodium"],
        "FoyerSync": ["FoyerPlatform", "FoyerModel", "FoyerCCurl"],
        "FoyerMockNetwork": ["FoyerPlatform", "FoyerModel", "FoyerSQLite", "FoyerCSodium"],
        "FoyerFlow": ["FoyerPlatform", "FoyerModel"],
        "Foyer": [
            "FoyerPlatform", "FoyerModel", "FoyerSQLite", "FoyerStore", "FoyerSync", "FoyerFlow",
        ],
        "FoyerApp": ["FoyerPlatform", "Foyer"],
        "FoyerTestSupport": ["FoyerPlatform", "Foyer"],
        "FoyerCLI": ["FoyerPlatform", "Foyer", "FoyerApp", "FoyerMockNetwork", "FoyerCProcess"],
        "FoyerProgram": ["FoyerCLI"],
        "EmbedFilesTool": ["Foundation", "CSQLite"],
        "EmbedFiles": ["Foundation", "PackagePlugin"],
    ]

    /// What belongs to the language.
    static let language: Set<String> = ["Dispatch", "Synchronization"]

    /// What belongs to the platform: FoyerPlatform alone imports it, but for the tools of the build.
    static let platform: Set<String> = ["Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin"]

    static let all = [imports, sql, shell, traps, unsafety, length]

    static let imports = Check("a room imports only what stands above it") { file in
        file.lines.compactMap { line in
            guard let module = line.importedModule else { return nil }
            let own = file.room == "FoyerPlatform" ? platform : []
            let allowed = (rooms[file.room] ?? []).union(language).union(own)
            return allowed.contains(module) ? nil : "\(file.path):\(line.number): \(file.room) imports \(module)"
        }
    }

    static let sql = Check("SQL stays in the rooms of the engine") { line, file in
        guard !["FoyerSQLite", "FoyerStore", "FoyerMockNetwork", "EmbedFilesTool"].contains(file.room) else {
            return false
        }
        // What a person may type into the shell is help, not a statement of ours.
        if line.literals.contains("sqlite3 ") { return false }
        return line.literals.matches(statement) || line.literals.matches(lowerCaseStatement)
    }

    private static let statement =
        #"\b(SELECT|INSERT|UPDATE|DELETE FROM|PRAGMA|WHERE|((CREATE|DROP|ALTER) (TABLE|INDEX|VIEW|TRIGGER)))\b"#
    private static let lowerCaseStatement =
        #"\b(select\b.+\bfrom|insert\b.+\binto|insert into|delete from|update\b.+\bset)\b"#

    /// An app in a window has no use for what to type into a terminal.
    static let shell = Check("only FoyerCLI names commands and flags of the program") { line, file in
        guard file.room != "FoyerCLI" else { return false }
        return "\(line.literals)\n\(line.comment)".matches(#"(^|[^-\w])--[a-z]{2}|\bfoyer [a-z]+"#)
    }

    static let traps = Check("nothing may trap: no try!, as!, fatalError or their like") { line, _ in
        line.code.matches(
            #"\b(try!|as!|(fatalError|preconditionFailure|precondition|assertionFailure|assert|abort)\()"#)
    }

    /// Whoever steps out of the compiler's checks says in the comment above, by that very word, why it holds.
    static let unsafety = Check("unchecked code says why it is right") { file in
        file.lines.indices.compactMap { index in
            let line = file.lines[index]
            for word in ["@unchecked", "nonisolated(unsafe)", "unsafelyUnwrapped"] where line.code.contains(word) {
                let above = file.lines[..<index].reversed().prefix { $0.code.isBlank && !$0.comment.isBlank }
                let comments = [line.comment] + above.map(\.comment)
                if !comments.contains(where: { $0.contains(word) }) { return "\(file.path):\(line.number): \(word)" }
            }
            return nil
        }
    }

    static let longest = 300

    static let length = Check("no file has more than \(longest) lines") { file in
        // The text after the last line break is a line only if there is some.
        let count = file.lines.count - (file.lines.last?.isEmpty == true ? 1 : 0)
        return count > longest ? ["\(file.path): \(count) lines"] : []
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

    fileprivate func matches(_ pattern: String) -> Bool {
        range(of: pattern, options: .regularExpression) != nil
    }
}

extension SourceFile.Line {
    fileprivate var isEmpty: Bool { code.isEmpty && literals.isEmpty && comment.isEmpty }

    /// The module that the line imports; of `import struct A.B` it is `A`.
    var importedModule: String? {
        let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { String($0) }
        guard let place = words.firstIndex(of: "import") else { return nil }
        return words[(place + 1)...].first { !kinds.contains($0) }
    }
}

private let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
