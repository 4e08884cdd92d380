package import FoyerModel

/// What could not be brought back of a saved tree, and was left where it lies.
package struct RestoreReport: Sendable, Equatable {
    /// Why a part of the tree could not be brought back.
    package enum Problem: String, Sendable, Equatable {
        /// This version of the program has no child of that kind.
        case unknownSlot
        /// This version of the program cannot read what the child is made from.
        case unreadableConfig
        /// This version of the program cannot read where the coordinator was; it has begun at its start.
        case unreadableState
    }

    /// One part that could not be brought back.
    package struct Entry: Sendable, Equatable {
        /// Where it is in the tree, such as `app/account/invite`.
        package let path: String
        /// Why it could not be brought back.
        package let problem: Problem
    }

    /// The parts that could not be brought back, parents first.
    package internal(set) var entries: [Entry] = []
    /// The rows that are kept as they are, for a version of the program that can read them.
    package internal(set) var left: [CoordinatorNode] = []

    /// The report for a person, a sentence for each part; empty where everything was brought back.
    package var sentences: [String] {
        entries.map { entry in
            switch entry.problem {
            case .unknownSlot:
                "\"\(entry.path)\" was open, and this version of the program does not have it; it is kept for one that has."
            case .unreadableConfig:
                "\"\(entry.path)\" was open, and this version of the program cannot read it; it is kept for one that can."
            case .unreadableState:
                "Where you were in \"\(entry.path)\" is not known to this version of the program; it begins at its start."
            }
        }
    }
}
