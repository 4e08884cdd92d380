import Foyer

extension Recovery {
    /// The commands and flags that help, as a sentence.
    var advice: String {
        switch self {
        case .provideKey: "Name the right key with --key-file or --key; `foyer key reset` gives up what is sealed."
        case .unlockKey: "Run it again at a terminal, where somebody can be asked."
        case .resetKey: "`foyer key reset` gives up what is sealed."
        case .rotateKey: "`foyer key rotate` makes another."
        case .replaceKeyAtSource:
            "Deliver what waits with `foyer sync`, hand over another key, and then run `foyer key reset`."
        case .cancelSubmission(let id): "`foyer outbox cancel \(id)` takes it back."
        case .settleSubmission(let id): "`foyer outbox cancel \(id)` takes it back; `foyer sync` finds out."
        case .confirmClock: "`foyer db trust-clock` counts them now."
        }
    }
}

extension StoreError {
    /// The message, and what to type.
    var advice: String { recovery.map { "\(message) \($0.advice)" } ?? message }
}

extension Finding {
    /// What was found; with the command that changes it, where all is well in any case.
    var words: String { isFine ? recovery.map { "\(message): \($0.advice)" } ?? message : message }
    /// What to do, and what to type.
    var advice: String? { repair.map { repair in recovery.map { "\(repair) \($0.advice)" } ?? repair } }
}
