/// One flag of the program: it belongs to the commands that read it, or to all.
struct Flag: Sendable {
    /// With its two dashes; the same name means the same flag everywhere.
    let name: String
    /// The letter that says the same, after one dash.
    var letter: Character?
    /// What its value is; nil for a flag that is on or off.
    var value: Value?
    let summary: String
    /// The variables of the environment that say the same; the first one that speaks counts.
    var variables: [Variable] = []
    /// Whether a config file may hold it, under its name without the dashes.
    var isSetting = false
    /// What holds where nobody says anything, as `foyer config` shows it; nil for nothing.
    var standard: @Sendable (Options) throws -> String? = { _ in nil }
    /// Takes its value: `true` or `false` for a flag without one.
    let set: @Sendable (inout Options, String) throws(Failure) -> Void

    /// What can stand as a value.
    enum Value: Sendable {
        /// A text, by the name that the help gives it.
        case text(String)
        /// The path of a file.
        case file(String)
        /// One of a few words.
        case oneOf([String])
    }

    /// A variable of the environment.
    struct Variable: Sendable {
        let name: String
        var summary: String?
        /// What its text, which is never empty, means for the flag; nil for nothing.
        var meaning: @Sendable (String) -> String? = { $0 }
    }

    /// The flag with its value, as it is typed.
    var usage: String { value.map { "\(name) \($0.name)" } ?? name }

    /// The name of the setting in a config file.
    var key: String { String(name.dropFirst(2)) }

    /// Whether the value is one that the flag can have, which its own `set` may judge more closely.
    func check(_ text: String) throws(Failure) {
        guard case .oneOf(let words) = value, !words.contains(text) else { return }
        throw .usage(
            "The flag \(name) takes one of: \(words.joined(separator: ", ")).\(suggestion(for: text, among: words))")
    }
}

extension Flag.Value {
    /// What the help calls it.
    var name: String {
        switch self {
        case .text(let name), .file(let name): name
        case .oneOf(let words): words.joined(separator: "|")
        }
    }
}

extension Flag {
    /// A flag that is on or off.
    static func toggle(
        _ name: String, _ letter: Character? = nil, _ summary: String, variables: [Variable] = [],
        isSetting: Bool = false, _ field: any WritableKeyPath<Options, Bool> & Sendable
    ) -> Flag {
        Flag(
            name: name, letter: letter, summary: summary, variables: variables, isSetting: isSetting,
            standard: { _ in "false" }
        ) { options, text throws(Failure) in
            guard let isOn = Bool(text) else { throw .usage("\(name.dropFirst(2)) is true or false, not \"\(text)\".") }
            options[keyPath: field] = isOn
        }
    }
}
