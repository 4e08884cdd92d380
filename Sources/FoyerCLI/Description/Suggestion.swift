/// A sentence with the word that was probably meant, to be put behind another one; nothing where none is near.
func suggestion(for word: String, among words: some Sequence<String>) -> String {
    let typed = Array(word.lowercased())
    let near = words.map { (word: $0, distance: distance(typed, Array($0.lowercased()))) }
        .min { $0.distance < $1.distance }
    // A third of the letters may be wrong: more would be another word.
    guard let near, near.distance <= max(1, typed.filter { $0 != "-" }.count / 3) else { return "" }
    return " Did you mean \(near.word)?"
}

/// How many letters must be added, removed, changed or swapped with their neighbour to make one word of the other.
func distance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[a.count][b.count]
}
