import FoyerCSodium
import Dispatch
import FoyerModel

/// How much work it is to check a password (Argon2id).
public struct PasswordHashing: Sendable {
    /// There is not enough memory for the work.
    struct OutOfMemory: Error {}

    let operations: UInt64
    let memory: Int

    /// The least that the algorithm allows: for accounts that are not real.
    public static let minimum = PasswordHashing(operations: 1, memory: 8192)
    /// Two passes over 64 MiB, as a real server would.
    public static let interactive = PasswordHashing(operations: 2, memory: 67_108_864)

    /// One after the other, and not on the few threads that tasks share: it takes long, and much memory.
    private static let queue = DispatchQueue(label: "foyer.password-hashing")

    /// The text that a server keeps of a password.
    func hash(_ password: Secret) async throws(OutOfMemory) -> String {
        let hash = await Self.onQueue { () -> String? in
            guard sodium_init() >= 0 else { return nil }
            var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
            let status = withCharacters(of: password) { characters, count in
                crypto_pwhash_str(&text, characters, UInt64(count), operations, memory)
            }
            guard status == 0 else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        guard let hash else { throw OutOfMemory() }
        return hash
    }

    /// Whether the password is the one that `hash` was made of.
    static func verify(_ password: Secret, against hash: String) async -> Bool {
        await onQueue {
            guard sodium_init() >= 0 else { return false }
            return withCharacters(of: password) { characters, count in
                crypto_pwhash_str_verify(hash, characters, UInt64(count)) == 0
            }
        }
    }

    private static func onQueue<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}

private func withCharacters<Result>(of secret: Secret, _ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
    secret.withBytes { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
            // Not even nothing may be nowhere.
            guard let start = characters.baseAddress else { return body([0], 0) }
            return body(start, characters.count)
        }
    }
}
