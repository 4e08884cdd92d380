/// The passwords that are guessed first: listed ones, repetitions, runs, and what is known about the person.
///
/// Always the whole password is judged (NIST SP 800-63B-4 §3.1.1.2: "the entire password … not substrings").
enum GuessablePassword {
    private static let longestUnit = 4
    private static let digitsBehind = 4

    /// The form in which passwords are compared: without case, in NFC, with plain spaces.
    static func folded(_ text: String) -> String {
        FieldText.unifyingSpaces(text).canonicallyComposed.lowercased()
    }

    /// The same form of a prepared password.
    static func folded(_ password: Secret) -> Secret {
        password.withBytes { bytes in
            var folded = SecretBytes(capacity: bytes.count)
            for scalar in UTF8Scalars(bytes) { folded.append(scalar.properties.lowercaseMapping.utf8) }
            return Secret(folded)
        }
    }

    /// Whether a folded password is listed, one unit repeated, or a run of neighbours.
    static func isCommon(_ folded: UnsafeBufferPointer<UInt8>) -> Bool {
        listed.contains { folded.elementsEqual($0.utf8) } || isRepeatedUnit(folded) || isRun(folded)
    }

    /// Whether a folded password is one of the person's words, plain or reversed, with at most four digits behind.
    static func follows(_ folded: UnsafeBufferPointer<UInt8>, from personal: [String]) -> Bool {
        let words = personal.flatMap(wordAndLocalPart).flatMap { [$0, String($0.reversed())] }
        var rest = folded[...]
        for _ in 0...digitsBehind {
            if words.contains(where: { rest.elementsEqual($0.utf8) }) { return true }
            guard let last = rest.popLast(), last.isDigit else { return false }
        }
        return false
    }

    private static func wordAndLocalPart(_ text: String) -> [String] {
        let word = folded(text)
        return [word, String(word.prefix { $0 != "@" })].filter { !$0.isEmpty }
    }

    /// One unit of up to four characters, twice or more and nothing behind: `aaaaaaaaa`, `abcabcabc`.
    private static func isRepeatedUnit(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        (1...longestUnit).contains { characters in
            guard let unit = bytes.size(ofCharacters: characters) else { return false }
            return bytes.count > unit && bytes.count.isMultiple(of: unit)
                && zip(bytes, bytes.dropFirst(unit)).allSatisfy(==)
        }
    }

    /// Each code point the neighbour of the one before, all upwards or all downwards: `abcdefghi`, `987654321`.
    private static func isRun(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let pairs = zip(UTF8Scalars(bytes), UTF8Scalars(bytes).dropFirst())
        return pairs.allSatisfy { isNext($0, to: $1) } || pairs.allSatisfy { isNext($1, to: $0) }
    }

    private static func isNext(_ lower: Unicode.Scalar, to upper: Unicode.Scalar) -> Bool {
        // The row of digits on a keyboard ends in 0.
        lower == "9" && upper == "0" || upper.value == lower.value + 1
    }

    // What leaked lists, keyboards and articles on passwords begin with, from eight characters on.
    private static let listed = [
        "00000007", "1010101010", "102030405060", "11223344", "112233445566", "1122334455", "12341234", "123123123",
        "123321123", "1234567890-=", "1234qwer", "1234qwerasdf", "123454321", "12345654321", "123456789a",
        "123456789abc", "123456789q", "123456abc", "123456qwerty", "123698745", "123qweasd", "123qweasdzxc",
        "147258369", "147852369", "159357159", "159753456", "1a2b3c4d", "1a2b3c4d5e", "1q2w3e4r", "1q2w3e4r5t",
        "1q2w3e4r5t6y", "1qaz2wsx", "1qaz2wsx3edc", "1qazxsw2", "741852963", "789456123", "963852741", "987654321a",
        "a123456789", "aa123456", "abc123456", "abc123abc", "abcd1234", "abcdef123", "admin1234", "admin12345",
        "administrator", "alexander", "asdasdasd", "asdf1234", "asdfasdf", "asdfghjkl", "asdfghjkl;", "azertyuiop",
        "babygirl1", "baseball1", "basketball", "bismillah", "blink-182", "butterfly", "changeme", "changeme1",
        "changeme123", "charlie123", "chocolate", "christian", "christopher", "computer1",
        "correct horse battery staple", "correcthorsebatterystaple", "default123", "dragon123", "elizabeth",
        "football1", "football123", "godisgood", "guest1234", "hello world", "hello1234", "helloworld",
        "homesweethome", "iloveyou", "iloveyou1", "iloveyou12", "iloveyou123", "iloveyou2", "jesuschrist",
        "letmein123", "letmeinnow", "liverpool", "liverpool1", "login1234", "maryjane1", "master123", "metallica",
        "michael123", "monkey123", "mypassword", "newpassword", "nopassword", "p@ssw0rd", "p@ssw0rd1", "p@ssw0rd123",
        "p@ssword", "p@ssword1", "pa$$w0rd", "pa55word", "pass1234", "pass12345", "passphrase", "passw0rd",
        "passw0rd1", "passw0rd123", "password", "password!", "password01", "password1", "password1!", "password10",
        "password11", "password12", "password123", "password123!", "password1234", "password12345", "password2",
        "password99", "passwordpassword", "pokemon123", "princess1", "princess123", "q1w2e3r4", "q1w2e3r4t5",
        "q1w2e3r4t5y6", "qawsedrf", "qazwsx123", "qazwsxedc", "qazwsxedcrfv", "qwaszx12", "qwer1234", "qwerasdf",
        "qwerasdfzxcv", "qwerty12", "qwerty123", "qwerty1234", "qwerty12345", "qwerty123456", "qwertyui", "qwertyuiop",
        "qwertyuiop123", "qwertyuiop[]", "qwertz123", "qwertzuiop", "secret123", "something", "spiderman", "spongebob",
        "starwars1", "sunshine1", "superman1", "superman123", "test12345", "testing123", "testpassword",
        "to be or not to be", "trustno1", "undertaker", "valentina", "veronica1", "w1lliam1", "webmaster1", "welcome1",
        "welcome12", "welcome123", "welcome1234", "whatever1", "wordpass1", "yourpassword", "zaq12wsx", "zaq1zaq1",
        "zaqwsxcde", "zxcvbnm1", "zxcvbnm,./", "zxcvbnm123",
    ]
}
