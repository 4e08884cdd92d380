extension SavedFlow {
    /// Which of how many steps is next, from 1, by the steps of the program that saved it last; nil when none is left,
    /// or when it is none of these.
    public var progress: (step: Int, count: Int)? {
        let steps = fingerprint.split(separator: " ").map { $0.prefix { $0 != "@" } }
        guard let step, let index = steps.firstIndex(where: { $0 == step }) else { return nil }
        return (index + 1, steps.count)
    }
}
