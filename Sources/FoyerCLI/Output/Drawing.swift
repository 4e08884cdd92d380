import Foyer

/// Drawings made of characters.
enum Drawing {
    /// A horizontal bar of at most that many columns: eighths of a column where the characters for that can be shown.
    static func bar(_ value: Int, of most: Int, width: Int, _ style: Style) -> String {
        guard most > 0, value > 0, width > 0 else { return "" }
        let eighths = max(1, min(value, most) * width * 8 / most)
        guard style.isUnicode else { return String(repeating: "#", count: max(1, eighths / 8)) }
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }

    /// No program nests its screens so deeply; a file that somebody has made may.
    private static let deepest = 50

    /// A saved tree, a line for each coordinator, with what `note` says of it.
    static func tree(_ nodes: [CoordinatorNode], _ style: Style, note: (CoordinatorNode) -> String?) -> [String] {
        let paths = Set(nodes.map(\.path))
        let children = Dictionary(grouping: nodes) { node in
            // One whose parent is gone stands beside the root.
            parent(of: node.path).flatMap { paths.contains($0) ? $0 : nil }
        }.mapValues { $0.sorted { ($0.position, $0.path) < ($1.position, $1.path) } }
        if style.isAccessible {
            return nodes.sorted { $0.path < $1.path }.map { "\($0.path)\(note($0).map { ": \($0)" } ?? "")" }
        }
        var lines: [String] = []
        func draw(below path: String?, _ indent: String, depth: Int) {
            let siblings = children[path] ?? []
            if depth > deepest, !siblings.isEmpty { return lines.append(indent + style.ellipsis) }
            for (index, node) in siblings.enumerated() {
                let isLast = index == siblings.count - 1, isRoot = path == nil
                let branch = isRoot ? "" : isLast ? style.ornament("└─ ", "`- ") : style.ornament("├─ ", "|- ")
                lines.append("\(indent)\(branch)\(node.slot)\(note(node).map { "  \($0)" } ?? "")")
                let below = isRoot ? "" : indent + (isLast ? "   " : style.ornament("│  ", "|  "))
                draw(below: node.path, below, depth: depth + 1)
            }
        }
        draw(below: nil, "", depth: 0)
        return lines
    }

    private static func parent(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
