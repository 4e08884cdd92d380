import Foundation

/// A Swift source file, taken apart far enough to tell code, comments and string literals from each other.
struct SourceFile: Sendable {
    /// The path from the package's folder, such as `Sources/FoyerModel/Values/User.swift`.
    let path: String
    let lines: [Line]

    /// One line of it.
    struct Line: Sendable {
        let number: Int
        /// What is compiled, with every literal as `""`.
        var code = ""
        /// The texts of its string literals, without what is interpolated.
        var literals = ""
        var comment = ""
    }

    /// The target that the file belongs to; the migrations and the plugins lie at the top.
    var room: String {
        let parts = path.split(separator: "/")
        if parts[0] == "Migrations" { return "FoyerMigrations" }
        return String(parts[0] == "Sources" || parts[0] == "Plugins" ? parts[1] : parts[0])
    }

    init(path: String, text: String) {
        self.path = path
        var scanner = Scanner(text: text)
        lines = scanner.scan()
    }
}

extension SourceFile {
    /// Reads a source character by character. It knows nested comments, and raw and multi-line strings.
    private struct Scanner {
        private enum Place {
            case code
            case lineComment
            case blockComment
            /// In a literal that ends with these characters; inside of it, `escape` and `(` begin code.
            case literal(end: [Character], escape: [Character])
        }

        private let text: [Character]
        private var position = 0
        /// Where we are, the innermost last: an interpolation is code in a literal in code.
        private var places: [Place] = [.code]
        /// The open parentheses of each interpolation.
        private var parentheses: [Int] = []
        private var lines: [Line] = [Line(number: 1)]

        init(text: String) {
            self.text = Array(text)
        }

        mutating func scan() -> [Line] {
            while position < text.count {
                if text[position].isNewline {
                    if case .lineComment = places.last { places.removeLast() }
                    lines.append(Line(number: lines.count + 1))
                    position += 1
                    continue
                }
                switch places.last ?? .code {
                case .code: scanCode()
                case .lineComment: take(into: \.comment)
                case .blockComment: scanBlockComment()
                case .literal(let end, let escape): scanLiteral(end: end, escape: escape)
                }
            }
            return lines
        }

        private mutating func scanCode() {
            if skip("//") {
                places.append(.lineComment)
            } else if skip("/*") {
                places.append(.blockComment)
            } else if !beginLiteral() {
                if text[position] == "(", let open = parentheses.last {
                    parentheses[parentheses.count - 1] = open + 1
                } else if text[position] == ")", let open = parentheses.last {
                    parentheses[parentheses.count - 1] = open - 1
                    if open == 1 {
                        parentheses.removeLast()
                        places.removeLast()
                        position += 1
                        return
                    }
                }
                take(into: \.code)
            }
        }

        /// `"`, `"""`, or one of them after number signs.
        private mutating func beginLiteral() -> Bool {
            let signs = Array(text[position...].prefix { $0 == "#" })
            for quotes in [["\"", "\"", "\""], ["\""]] as [[Character]] where skip(signs + quotes) {
                places.append(.literal(end: quotes + signs, escape: ["\\"] + signs))
                lines[lines.count - 1].code += "\"\""
                return true
            }
            return false
        }

        private mutating func scanBlockComment() {
            if skip("/*") {
                places.append(.blockComment)
            } else if skip("*/") {
                places.removeLast()
            } else {
                take(into: \.comment)
            }
        }

        private mutating func scanLiteral(end: [Character], escape: [Character]) {
            if skip(end) {
                places.removeLast()
                lines[lines.count - 1].literals += " "
            } else if skip(escape + ["("]) {
                places.append(.code)
                parentheses.append(1)
            } else if skip(escape) {
                if position < text.count, !text[position].isNewline { position += 1 }
            } else {
                take(into: \.literals)
            }
        }

        private mutating func take(into part: WritableKeyPath<Line, String>) {
            lines[lines.count - 1][keyPath: part].append(text[position])
            position += 1
        }

        private mutating func skip(_ wanted: some Collection<Character>) -> Bool {
            guard text[position...].starts(with: wanted) else { return false }
            position += wanted.count
            return true
        }
    }
}

/// The package that these tests belong to.
enum Package {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// All Swift files of the rooms, the embedded migrations and the plugins.
    static func sources() throws -> [SourceFile] {
        try ["Sources", "Plugins", "Migrations"].flatMap { top in
            try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(top)").sorted()
                .filter { $0.hasSuffix(".swift") }
                .map { path in
                    let text = try String(contentsOf: URL(filePath: "\(folder)/\(top)/\(path)"), encoding: .utf8)
                    return SourceFile(path: "\(top)/\(path)", text: text)
                }
        }
    }

    /// The targets whose folders are the rooms; those of C have a prefix that their folders lack.
    static func rooms() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Sources").sorted().map { name in
            name.hasPrefix("C") && name != "CSQLite" ? "Foyer\(name)" : name
        }
    }
}
