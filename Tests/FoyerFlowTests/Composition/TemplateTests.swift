import FoyerFlow
import FoyerApp
import Testing

@FlowActor private let catalog = TemplateCatalog(files: [
    "SettingsScreen": #"{"screens":["SettingsScreen","SharingScreen"],"title":"Settings","labels":{},"order":[]}"#,
    "BrokenScreen": "{}",
    "StrangeScreen": #"{"screens":["SettingsScreen"],"title":"","labels":{},"order":[]}"#,
])

@FlowActor private final class SettingsScreen: ScreenBased, TemplateBased {
    static var templates: TemplateCatalog { catalog }
}

@FlowActor private final class SharingScreen: ScreenBased, TemplateBased {
    static var templates: TemplateCatalog { catalog }
    static var template: ScreenTemplate {
        get throws(TemplateError) { try templates.template(named: "SettingsScreen", for: self) }
    }
}

@FlowActor private final class MissingScreen: ScreenBased, TemplateBased {
    static var templates: TemplateCatalog { catalog }
}

@FlowActor private final class BrokenScreen: ScreenBased, TemplateBased {
    static var templates: TemplateCatalog { catalog }
}

@FlowActor private final class StrangeScreen: ScreenBased, TemplateBased {
    static var templates: TemplateCatalog { catalog }
}

@Suite @FlowActor struct TemplateTests {
    @Test("B2: a template is found by the name of the screen's type")
    func byName() throws {
        #expect(try SettingsScreen.template.title == "Settings")
        #expect(try TextInputScreen.template.labels["accept"] == "Continue")
    }

    @Test("B3: a template that is missing, broken or another screen's is an error with its name, not a trap")
    func checked() throws {
        #expect(type(of: try SettingsScreen.instantiateChecked()) == SettingsScreen.self)
        #expect(throws: TemplateError.missing(template: "MissingScreen", type: "MissingScreen")) {
            try MissingScreen.instantiateChecked()
        }
        #expect(throws: TemplateError.malformed(template: "BrokenScreen", type: "BrokenScreen")) {
            try BrokenScreen.instantiateChecked()
        }
        let mismatch = TemplateError.mismatched(
            template: "StrangeScreen", type: "StrangeScreen", screens: ["SettingsScreen"])
        #expect(throws: mismatch) { try StrangeScreen.instantiateChecked() }
        #expect(mismatch.description == "The template StrangeScreen.json is of SettingsScreen, not of StrangeScreen.")
        #expect(MissingScreen.templateOrNames.title == "MissingScreen")
    }

    @Test("B4: a screen can share another one's template")
    func shared() throws {
        #expect(try SharingScreen.template == SettingsScreen.template)
    }

    @Test("A template gives titles and order; what it does not know stays, last")
    func arrange() {
        let template = ScreenTemplate(
            screens: [], title: "", labels: ["cancel": "Leave", "back": "Return"], order: ["cancel", "submit", "back"])
        let actions = template.arrange([ScreenAction("more", title: "More"), .back, .cancel])
        #expect(actions.map(\.title) == ["Leave", "Return", "More"])
        #expect(actions.map(\.role) == [.cancel, .normal, .normal])
    }
}
