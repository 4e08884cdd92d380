#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Testing

@testable import FoyerModel

@Suite("Messages in other languages")
struct TranslationTests {
    private static let german = [
        "password.too_short": "Das Passwort hat {count} von mindestens {min} Zeichen.",
        "name.forbidden_character": "Der Name enthält {kind}.", "kind.bidi": "ein Zeichen für die Schreibrichtung",
        "field.required": "Hier fehlt etwas.", "email.from_the_future": "Aus der Zukunft.",
        "email.too_long": "Höchstens {maximum} Zeichen.",
    ]

    @Test(
        "A message is a pure function of its id and its parameters, in any language",
        arguments: [
            (FieldMessage("password.too_short", ["count": "8", "min": "9"]), german["password.too_short"] ?? ""),
            (FieldMessage("field.required"), "Hier fehlt etwas."),
        ])
    func translated(message: FieldMessage, template: String) {
        let text = template.replacing("{count}", with: "8").replacing("{min}", with: "9")
        #expect(MessageCatalog.text(of: message, in: Self.german) == text)
    }

    @Test("A parameter's value has its phrase in the other language, or else the English one")
    func phrases() {
        func text(_ kind: String) -> String {
            MessageCatalog.text(of: FieldMessage("name.forbidden_character", ["kind": kind]), in: Self.german)
        }
        #expect(text("bidi") == "Der Name enthält ein Zeichen für die Schreibrichtung.")
        #expect(text("control") == "Der Name enthält a control character, such as a tab or a line break.")
    }

    @Test("What a translation lacks or cannot fill in is shown in English, what nobody knows as a general sentence")
    func fallback() {
        let reserved = FieldMessage("username.reserved")
        #expect(MessageCatalog.text(of: reserved, in: Self.german) == reserved.text)
        let long = FieldMessage("email.too_long", ["max": "254"])
        #expect(MessageCatalog.text(of: long, in: Self.german) == long.text)
        for id in ["email.from_the_future", "kind.bidi", "", "<script>"] {
            #expect(MessageCatalog.text(of: FieldMessage(id), in: Self.german) == MessageCatalog.generalText)
        }
    }

    @Test("What a translation lacks, has too much or fills in otherwise is told by its ids")
    func problems() {
        let complete = MessageCatalog.english.merging(MessageCatalog.phrases) { text, _ in text }
        #expect(MessageCatalog.problems(in: complete) == [])
        let problems = MessageCatalog.problems(in: Self.german)
        #expect(problems.count == complete.count - 4 + 1)
        #expect(problems.contains("email.from_the_future") && problems.contains("email.too_long"))
        #expect(!problems.contains("password.too_short") && !problems.contains("kind.bidi"))
        var short = complete
        short["username.taken"] = nil
        #expect(MessageCatalog.problems(in: short) == ["username.taken"])
    }

    @Test("The ids are frozen: the published list loses none and changes no parameter, and has every new one")
    func frozen() throws {
        let path =
            #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/Documentation/messages.json"
        let published = try JSONDecoder().decode(
            [String: String].self, from: Data(contentsOf: URL(filePath: path)))
        #expect(published.count > 50)
        #expect(MessageCatalog.problems(in: published) == [])
        for (id, text) in MessageCatalog.english { #expect(published[id] == text, "the published text of \(id)") }
    }
}
