import FoyerCSodium
import FoyerModel

/// A password's Argon2id text in the PHC format.
enum PasswordVerifier {
    static func make(
        of password: Secret, work: Argon2Parameters
    ) async throws(StoreError) -> Secret {
        let made = await SlowWork.run { () -> Secret? in
            guard sodium_init() >= 0 else { return nil }
            var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
            let status = password.withCharacters { characters, count in
                crypto_pwhash_str(&text, characters, UInt64(count), UInt64(work.passes), work.bytes)
            }
            defer { sodium_memzero(&text, text.count) }
            return status == 0 ? Secret(utf8: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))) : nil
        }
        guard let made else { throw work.outOfMemory }
        return made
    }

    /// Whether the password is the one that a verifier was made of, which has to be bearable.
    static func matches(_ password: Secret, _ verifier: Secret) async -> Bool {
        await SlowWork.run {
            password.withCharacters { characters, count in
                crypto_pwhash_str_verify(String(revealing: verifier), characters, UInt64(count)) == 0
            }
        }
    }

    /// A verifier of no password, which takes just as much work.
    static func dummy(_ work: Argon2Parameters) -> Secret {
        let salt = String(repeating: "A", count: 22), hash = String(repeating: "A", count: 43)
        return Secret("$argon2id$v=19$m=\(work.kibibytes),t=\(work.passes),p=1$\(salt)$\(hash)")
    }

    /// The work that a verifier asks for; nil where it is none, or asks for more than is bearable.
    ///
    /// Read before the verifier is used: whoever could put one there must not make us take all memory.
    static func work(of verifier: Secret) -> Argon2Parameters? {
        let text = String(revealing: verifier)
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard text.utf8.count < crypto_pwhash_strbytes(), parts.count == 6, parts[0].isEmpty,
            parts[1] == "argon2id", parts[2] == "v=19", !parts[4].isEmpty, !parts[5].isEmpty
        else { return nil }
        let parameters = parts[3].split(separator: ",", omittingEmptySubsequences: false)
        guard parameters.count == 3, parameters[2] == "p=1",
            let kibibytes = number(parameters[0], after: "m="), let passes = number(parameters[1], after: "t=")
        else { return nil }
        let work = Argon2Parameters(passes: passes, kibibytes: kibibytes)
        return work.isBearable ? work : nil
    }

    private static func number(_ text: Substring, after name: String) -> Int? {
        guard text.hasPrefix(name), text.utf8.count <= name.utf8.count + 10 else { return nil }
        let digits = text.dropFirst(name.count)
        return digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
    }
}
