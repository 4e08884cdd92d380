import Foyer

/// The words of the command line, as `main` was given them.
struct ProgramArguments {
    /// What follows the program's name; a word that is no text stands here with what can be read of it.
    let words: [String]
    private let failure: Failure?

    /// - Parameters:
    ///   - count: how many arguments there are, the program's name included.
    ///   - arguments: the arguments, as `execve` passes them.
    init(count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        let given = (0..<max(0, Int(count))).map { arguments[$0] }
        // Whoever starts a program without even a name has lost its arguments, too; the kernel then passes an empty one.
        guard let name = given.first, name?.pointee ?? 0 != 0 else {
            words = []
            failure = .usage("The program was started without its name, so its arguments cannot be told.")
            return
        }
        let rest = given.dropFirst().compactMap { $0 }
        words = rest.map { String(cString: $0) }
        let broken = rest.firstIndex { String(validatingCString: $0) == nil }
        failure = broken.map { place in
            .usage("Argument \(place + 1), \"\(String(cString: rest[place]))\", is not UTF-8 text.")
        }
    }

    /// - Throws: exit 64 where the arguments cannot be known, or one is no text: nothing is done for a guess.
    func checked() throws(Failure) -> [String] {
        if let failure { throw failure }
        return words
    }
}
