import FoyerCSodium
import FoyerModel

/// How much work it is to try one password or passphrase (Argon2id, one lane).
struct Argon2Parameters: Sendable, Equatable {
    let passes: Int
    let kibibytes: Int

    /// For a passphrase that stands between a stolen disk and the key.
    static let keyWrapping = Argon2Parameters(passes: 3, kibibytes: 262_144)

    init(passes: Int, kibibytes: Int) {
        self.passes = passes
        self.kibibytes = kibibytes
    }

    init(_ offlineSignIn: OfflineSignIn) {
        self.init(passes: offlineSignIn.passes, kibibytes: offlineSignIn.kibibytes)
    }

    var bytes: Int { kibibytes * 1024 }

    /// Whether to do it at all: whoever can write a file must not make us take all memory, or hash for hours.
    var isBearable: Bool { (1...10).contains(passes) && (8...1_048_576).contains(kibibytes) }

    var outOfMemory: StoreError {
        StoreError(.failed, "There is not enough memory to check a password: it takes \(kibibytes / 1024) MiB.")
    }
}

extension Secret {
    /// Lends the bytes as C's functions for passwords take them.
    func withCharacters<Result>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
        withBytes { bytes in
            guard let start = UnsafeRawPointer(bytes.baseAddress) else {
                return withUnsafePointer(to: 0) { body($0, 0) }
            }
            return body(start.assumingMemoryBound(to: CChar.self), bytes.count)
        }
    }
}
