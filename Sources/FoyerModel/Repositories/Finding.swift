/// What one check of a store's files has found.
public struct Finding: Sendable, Hashable {
    /// What was checked.
    public enum Check: String, Sendable, CaseIterable {
        /// The database is there, and Foyer's.
        case file
        /// Nobody else can use the files.
        case permissions
        /// Tables, indexes, views and triggers are those that Foyer makes.
        case schema
        /// Every page and every index is right.
        case integrity
        /// No row belongs to a row that is not there.
        case references
        /// Every value of people, flows and submissions can be read.
        case values
        /// Flows, submissions and secrets fit together.
        case queue
        /// The machine's clock has not jumped, and all time is counted.
        case clock
        /// The key is there, and the one that the secrets are sealed under.
        case key
        /// Whether the system keeps secrets in memory out of swap.
        case memory
    }

    /// What was checked.
    public let check: Check
    /// Whether all is well.
    public let isFine: Bool
    /// What was found, in words without any value of a person.
    public let message: String
    /// What to do about it; nil where all is well.
    public let repair: String?
    /// What helps, where the program can offer it.
    public let recovery: Recovery?

    /// All is well.
    public static func fine(_ check: Check, _ message: String, recovery: Recovery? = nil) -> Finding {
        Finding(check: check, isFine: true, message: message, repair: nil, recovery: recovery)
    }

    /// Something is not as it has to be.
    public static func problem(
        _ check: Check, _ message: String, repair: String, recovery: Recovery? = nil
    ) -> Finding {
        Finding(check: check, isFine: false, message: message, repair: repair, recovery: recovery)
    }
}
