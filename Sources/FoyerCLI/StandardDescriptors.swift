import FoyerPlatform

/// Keeps the descriptors 0 to 2 from naming anything but standard input, output and error.
///
/// Where a caller has closed one of them, the next file that is opened gets its number: what is written for people
/// would go into the database.
enum StandardDescriptors {
    /// Opens what is closed as `/dev/null`, in the direction in which it is not used: reading and writing fail as
    /// before. (glibc does the same for programs that change their user.)
    /// - Returns: whether all three are open now.
    static func fill() -> Bool {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] {
            if fcntl(number, F_GETFD) >= 0 { continue }
            // The lowest free number is this one: those below are open by now.
            guard open("/dev/null", mode) == number else { return false }
        }
        return true
    }
}
