import FoyerModel

/// What people type: a rule gives a text that it takes again as it is, or a message of the catalogue.
@Sendable func fuzzFields(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let rule = input.choice(ruleCount)
    let text = String(decoding: input.bytes(), as: UTF8.self)
    do throws(FieldMessage) {
        let taken = try take(text, by: rule)
        promise(!taken.isEmpty && taken.utf8.count <= 2_048, "an accepted text has a size")
        let again = try? take(taken, by: rule)
        promise(again?.utf8.elementsEqual(taken.utf8) == true, "what was taken is taken again")
        let isPassword = rule >= firstPassword
        promise(isPassword || !taken.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "no control")
        let emailKey = EmailAddress.key(taken)
        promise(emailKey.utf8.elementsEqual(EmailAddress.key(emailKey).utf8), "an address's key is its own key")
        // Of an existing name nothing else is asked than that it is harmless; its key need not be one of a new name.
        let nameKey = UserName.key(taken)
        promise(
            ![1, 4].contains(rule) || nameKey.utf8.elementsEqual(UserName.key(nameKey).utf8),
            "a name's key is its own key")
    } catch {
        promise(MessageCatalog.english[error.id] != nil, "\(error.id) is in the catalogue")
        promise(error.text != MessageCatalog.generalText || error.id == "server.rejected", "\(error.id) has its text")
    }
}

private let ruleCount = 8
private let firstPassword = 6

private func take(_ text: String, by rule: Int) throws(FieldMessage) -> String {
    switch rule {
    case 0: try EmailAddress.normalized(text)
    case 1: try UserName.normalized(text)
    case 2: try UserName.existing(text)
    case 3: try PersonName.normalized(text)
    case 4: try UserName.normalized(text, profile: .unicode)
    case 5: try EmailAddress.normalized(text, smtputf8: true)
    case firstPassword:
        String(
            revealing: try Password.preparedNew(
                Secret(text), personal: ["ada@example.org", "ada.l", "Ada", "Lovelace"]))
    default: String(revealing: try Password.preparedExisting(Secret(text)))
    }
}
