import Foyer

/// Where the flags and the settings say that the key comes from; a key or a passphrase itself is never among them.
struct KeyOptions {
    private var kind: String?
    private var file: String?
    private var descriptor: String?

    static let fileFlag = Flag(
        name: "--key-file", value: .file("PATH"), summary: "the key for secrets, in another folder than the database",
        variables: [Flag.Variable(name: "FOYER_KEY_FILE")], isSetting: true, standard: { try $0.key.defaultFile() }
    ) {
        $0.key.file = $1
        $0.key.descriptor = nil
        if $0.key.kind == "systemd" { $0.key.kind = nil }
    }

    static let kindFlag = Flag(
        name: "--key", value: .oneOf(["file", "passphrase", "systemd"]),
        summary: "what keeps the key; for systemd its credential foyer-key",
        variables: [Flag.Variable(name: "FOYER_KEY")], isSetting: true, standard: { _ in "file" }
    ) {
        $0.key.kind = $1
        $0.key.descriptor = nil
    }

    static let descriptorFlag = Flag(
        name: "--key-fd", value: .text("NUMBER"), summary: "the open descriptor that gives the key's 32 bytes",
        variables: [Flag.Variable(name: "FOYER_KEY_FD")]
    ) {
        $0.key.descriptor = $1
        $0.key.kind = nil
    }

    /// The file that is used where none is named; nil where the key is in none.
    private func defaultFile() throws -> String? {
        if descriptor != nil || kind == "systemd" { return nil }
        return try kind == "passphrase" ? Locations.defaultPassphraseKeyFile() : Locations.defaultKeyFile()
    }

    /// - Throws: a `Failure` where what was named is none of the ways; `StoreError` where no default file can be found.
    @MainActor
    func source(asking: Bool) throws -> KeySource {
        if let descriptor {
            guard let number = Int32(descriptor), number > 2 else {
                throw Failure.usage("The flag --key-fd takes the number of an open descriptor above 2.")
            }
            return .descriptor(number)
        }
        switch kind {
        case nil, "file": return .file(try file ?? Locations.defaultKeyFile())
        case "systemd": return .systemdCredential("foyer-key")
        case "passphrase":
            let prompt = PassphrasePrompt(isAllowed: asking)
            return .passphrase(file: try file ?? Locations.defaultPassphraseKeyFile()) { await prompt.ask($0) }
        case let kind?:
            throw Failure.usage("The key cannot be kept by \"\(kind)\"; it is one of: file, passphrase, systemd.")
        }
    }
}
