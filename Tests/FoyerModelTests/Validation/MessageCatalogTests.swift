#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Testing

@testable import FoyerModel

@Suite("Message catalogue")
struct MessageCatalogTests {
    private static let parameters = ["count": "8", "min": "9", "max": "32", "kind": "control"]

    @Test("A message is written with its text, which is not read back")
    func writtenMessage() throws {
        let message = FieldMessage("password.too_short", ["count": "8", "min": "9"])
        let written = try JSONEncoder().encode(message)
        #expect(String(decoding: written, as: UTF8.self).contains("The password has 8 of at least 9 characters."))
        let other = #"{"id":"field.required","parameters":{},"text":"Something else."}"#
        for (json, expected) in [(written, message), (Data(other.utf8), FieldMessage("field.required"))] {
            #expect(try JSONDecoder().decode(FieldMessage.self, from: json) == expected)
        }
    }

    @Test("A flow definition's own texts are shown for its ids, and in place of the catalogue's")
    func ownTexts() throws {
        let step = FlowStep("town", field: .lastName) { text, _ throws(FieldMessage) in
            switch text {
            case "x": throw FieldMessage("town.too_short", ["min": "2"])
            case "": throw FieldMessage("field.required")
            case "?": throw FieldMessage("town.unheard_of")
            default: return text
            }
        }
        let definition = try FlowDefinition(
            .register, steps: [step],
            messages: ["town.too_short": "Use {min} letters.", "field.required": "Which town?"])
        var draft = FlowDraft(definition)
        for (text, words) in [
            ("x", "Use 2 letters."), ("", "Which town?"), ("?", MessageCatalog.generalText),
        ] {
            let thrown = #expect(throws: FieldMessage.self) { try draft.enter(Secret(text), at: step) }
            let error = try #require(draft.errors["town"])
            #expect(error.text == words && thrown?.text == words)
            #expect(String(decoding: try JSONEncoder().encode(error), as: UTF8.self).contains(words))
        }
        // A translation comes before both, and what it lacks is shown in the definition's words.
        #expect(throws: FieldMessage.self) { try draft.enter(Secret("x"), at: step) }
        let error = try #require(draft.errors["town"])
        #expect(MessageCatalog.text(of: error, in: ["town.too_short": "{min} Buchstaben."]) == "2 Buchstaben.")
        #expect(MessageCatalog.text(of: error, in: [:]) == "Use 2 letters.")
    }

    @Test("Every id in the sources has a text")
    func idsOfTheSources() throws {
        let sources = try Self.swiftSources()
        let ids = Set(sources.flatMap { Self.ids(in: $0) })
        #expect(ids.count > 40)
        #expect(ids.subtracting(MessageCatalog.english.keys).sorted() == [])
    }

    @Test(
        "The catalogue has the ids that come from elsewhere",
        arguments: [
            "field.required", "username.taken", "email.taken", "login.failed", "server.rejected",
            "flow.secret_unavailable", "password.confirmation_mismatch",
        ])
    func idsFromElsewhere(id: String) {
        #expect(MessageCatalog.english[id] != nil)
    }

    @Test("Every kind of forbidden character has a phrase", arguments: ForbiddenScalar.allCases)
    func kinds(kind: ForbiddenScalar) {
        let text = FieldMessage("name.forbidden_character", ["kind": kind.rawValue]).text
        #expect(text.contains(MessageCatalog.phrases["kind.\(kind.rawValue)"] ?? "no phrase"))
    }

    @Test("Every text is complete once its parameters are filled in", arguments: MessageCatalog.english.keys.sorted())
    func filledIn(id: String) {
        let text = FieldMessage(id, Self.parameters).text
        #expect(text != MessageCatalog.generalText)
        #expect(!text.contains(where: { "{}".contains($0) }))
        #expect(!text.contains(id))
        #expect(text.hasSuffix("."))
    }

    @Test(
        "The rules give every parameter that their texts need",
        arguments: [
            FieldMessage("password.too_short", ["count": "8", "min": "9"]),
            FieldMessage("email.too_long", ["max": "254"]),
            FieldMessage("email.forbidden_character", ["kind": "bidi"]),
            FieldMessage("name.too_many_marks", ["max": "8"]),
        ])
    func needed(message: FieldMessage) {
        #expect(message.text != MessageCatalog.generalText)
        for value in message.parameters.filter({ $0.key != "kind" }).values { #expect(message.text.contains(value)) }
    }

    @Test(
        "What the catalogue does not know is shown as a general sentence",
        arguments: [
            FieldMessage("email.from_the_future"), FieldMessage(""), FieldMessage("password.too_short", ["count": "8"]),
            FieldMessage("name.forbidden_character"), FieldMessage("kind.bidi"),
        ])
    func unknown(message: FieldMessage) {
        #expect(message.text == MessageCatalog.generalText)
        #expect(message.description == message.text)
    }

    @Test("A parameter is put in as it is, even if it looks like a placeholder")
    func noSecondFilling() {
        let text = FieldMessage("password.too_short", ["count": "{min}", "min": "9"]).text
        #expect(text.contains("{min} of at least 9"))
    }

    private static func swiftSources() throws -> [String] {
        let package = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
        let sources = package + "/Sources"
        return try FileManager.default.subpathsOfDirectory(atPath: sources)
            .filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: "\(sources)/\($0)", encoding: .utf8) }
    }

    /// The string literals that follow `FieldMessage(`.
    private static func ids(in source: String) -> [String] {
        source.ranges(of: "FieldMessage(\"").map { start in
            String(source[start.upperBound...].prefix { $0 != "\"" })
        }
    }
}
