public import Foyer

/// A screen whose texts lie in a file of its own, found by the name of its type.
///
/// This is the articles' `StoryboardBased`. Where that stops the program, `template` throws.
@FlowActor
public protocol TemplateBased: AnyObject {
    /// The files among which the screen's own is looked up: those of its module.
    static var templates: TemplateCatalog { get }
    /// The screen's texts. By default the file that is named like the type; give another one to share a file.
    static var template: ScreenTemplate { get throws(TemplateError) }
}

extension TemplateBased {
    public static var template: ScreenTemplate {
        get throws(TemplateError) { try templates.template(named: String(describing: self), for: self) }
    }

    /// The screen's texts; without a usable file the bare names, because a missing text must not stop anybody.
    public static var templateOrNames: ScreenTemplate {
        (try? template) ?? ScreenTemplate(screens: [], title: String(describing: self))
    }
}
