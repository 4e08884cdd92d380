/// The texts of all messages, by message id: in English, and in any other language that an app has texts for.
///
/// `{name}` stands for a parameter. Where there is a phrase for `name.value`, it is put in for the parameter's value:
/// `{kind}` with the value `bidi` becomes the phrase of `kind.bidi`. Phrases are no messages and have no id.
public enum MessageCatalog {
    /// Shown for a message that the catalogue does not know, or that lacks a parameter its text needs.
    public static let generalText = "This was not accepted. Check what you entered and try again."

    /// Every known message id with its text.
    public static let english: [String: String] = [email, password, userName, personName, general]
        .reduce(into: [:]) { all, part in all.merge(part) { first, _ in first } }

    /// The text of a message in another language: a pure function of its id and its parameters.
    ///
    /// - Parameter translation: texts and phrases by their English ones' ids. What it lacks is shown in English, or in
    ///   the words of the flow's definition; what nobody has a text for is ``generalText``: never a raw id.
    public static func text(of message: FieldMessage, in translation: [String: String]) -> String {
        guard message.isKnown,
            let translated = translation[message.id].flatMap({
                filled($0, message.parameters, translation)
            })
        else { return message.text }
        return translated
    }

    /// What a translation lacks, has too much, or fills in otherwise than the English text: the ids, in order.
    public static func problems(in translation: [String: String]) -> [String] {
        let all = english.merging(phrases) { text, _ in text }
        return Set(all.keys).union(translation.keys).sorted().filter { id in
            guard let english = all[id], let translated = translation[id] else { return true }
            return placeholders(of: english) != placeholders(of: translated)
        }
    }

    /// The names of a text's placeholders.
    static func placeholders(of text: String) -> Set<Substring> {
        Set(text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { $0.prefix { $0 != "}" } })
    }

    /// The text of a message with its parameters filled in; nil if the id or one of the parameters is missing.
    static func text(id: String, parameters: [String: String]) -> String? {
        english[id].flatMap { filled($0, parameters) }
    }

    /// A text with its parameters filled in; nil if one of them is missing.
    static func filled(
        _ template: String, _ parameters: [String: String], _ translation: [String: String]? = nil
    ) -> String? {
        var filled = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            let name = String(rest[rest.index(after: open)..<close])
            guard let value = parameters[name] else { return nil }
            let phrase = "\(name).\(value)"
            filled += rest[..<open] + (translation?[phrase] ?? phrases[phrase] ?? value)
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }

    private static let general = [
        "field.required": "Fill in this field.",
        "flow.repeated_secret": "This is your password, and is not kept where it can be read. Enter something else.",
        "flow.secret_unavailable": "Your password is no longer kept on this device. Enter it again to go on.",
        "login.failed": "These sign-in details are not right. Check them and try again.",
        "server.rejected": "The server did not accept this. Check what you entered and try again.",
    ]

    private static let email = [
        "email.address_literal_unsupported":
            "Use a domain name after the @ instead of an address in brackets, like ada@example.org.",
        "email.contains_space": "An e-mail address has no spaces. Enter one address like ada@example.org.",
        "email.domain_bad_character":
            "After the @ only letters, digits, hyphens and dots are possible. Enter an address like ada@example.org.",
        "email.domain_empty": "The part after the @ is missing. Enter an address like ada@example.org.",
        "email.domain_empty_label":
            "Put exactly one dot between the parts after the @, and none at the end, like ada@example.org.",
        "email.domain_hyphen_edge": "No part of the domain may start or end with a hyphen. Check what follows the @.",
        "email.domain_label_too_long":
            "A part of the domain is too long: use at most {max} characters between two dots.",
        "email.domain_needs_dot": "The part after the @ needs a dot. Enter an address like ada@example.org.",
        "email.forbidden_character": "The address contains {kind}. Delete the address and type it by hand.",
        "email.local_bad_character":
            "The part before the @ contains a character that is not possible there. "
            + "Enter just the address, like ada@example.org.",
        "email.local_dot_edge": "The part before the @ must not start or end with a dot. Remove that dot.",
        "email.local_double_dot": "There are two dots in a row before the @. Remove one of them.",
        "email.local_empty": "The part before the @ is missing. Enter an address like ada@example.org.",
        "email.local_too_long": "The part before the @ is too long: use at most {max} characters.",
        "email.missing_at": "The @ is missing. Enter an address like ada@example.org.",
        "email.multiple_at": "There is more than one @. Enter one address like ada@example.org.",
        "email.non_ascii_domain":
            "Write the domain in its international form, which starts with xn--, or use another address.",
        "email.non_ascii_local":
            "Before the @ only the letters a to z, digits and signs such as . + - _ work here. Use another address.",
        "email.quoted_local_unsupported": "Addresses with quotation marks do not work here. Use another address.",
        "email.taken": "There already is an account with this address. Sign in, or use another address.",
        "email.tld_numeric": "A domain does not end in a number. Enter an address like ada@example.org.",
        "email.too_long": "The address is too long: use one with at most {max} characters.",
    ]

    private static let password = [
        "password.confirmation_mismatch": "The two passwords differ. Type the same password again.",
        "password.forbidden_character":
            "The password contains {kind}, which could not be typed again later. Leave it out.",
        "password.hint": "At least {min} characters. A few words work well; spaces are allowed.",
        "password.matches_personal_data":
            "The password is your own name or address. Choose one that does not follow from your details.",
        "password.too_common":
            "The password is among the first that anyone would try. Choose another, such as a few unrelated words.",
        "password.too_long": "The password is too long: use at most {max} characters.",
        "password.too_short":
            "The password has {count} of at least {min} characters. Make it longer; another word helps.",
    ]

    private static let userName = [
        "username.bad_character": "Use only the letters a to z, digits, and . _ - in the user name.",
        "username.hint": "{min} to {max} letters, digits, dots, hyphens or underscores.",
        "username.hint_unicode": "{min} to {max} letters of one script, digits, dots, hyphens or underscores.",
        "username.looks_like_email": "A user name has no @. Choose a name such as ada.lovelace.",
        "username.mixed_scripts":
            "Use letters of one script only in the user name, and no digits beside Hebrew or Arabic.",
        "username.non_ascii": "Use only the letters a to z without accents, digits, and . _ - in the user name.",
        "username.not_a_letter": "Use only letters, digits, and . _ - ' · in the user name.",
        "username.only_digits": "Use at least one letter in the user name.",
        "username.punctuation_double": "Put a letter or a digit between two of . _ - in the user name.",
        "username.punctuation_edge": "Start and end the user name with a letter or a digit.",
        "username.reserved": "This user name is reserved. Choose another.",
        "username.taken": "This user name is taken. Choose another.",
        "username.too_long": "The user name is too long: use at most {max} characters.",
        "username.too_short": "The user name has {count} of at least {min} characters. Make it longer.",
    ]

    private static let personName = [
        "name.forbidden_character": "The name contains {kind}. Delete the name and type it by hand.",
        "name.no_letter": "Use at least one letter in the name.",
        "name.too_long": "The name is too long: use at most {max} characters.",
        "name.too_many_marks": "Use at most {max} accents on one letter.",
    ]

    /// What is put in for a parameter's value, by the parameter's name and its value.
    public static let phrases = [
        "kind.bidi": "an invisible sign that changes the direction of text",
        "kind.control": "a control character, such as a tab or a line break",
        "kind.invisible": "an invisible character",
        "kind.line_separator": "a line break",
        "kind.noncharacter": "a code that is not a character",
        "kind.private_use": "a character that only some programs know",
        "kind.replacement": "a character that was damaged on the way (\u{FFFD})",
        "kind.unassigned": "a character that this version does not know",
    ]
}
