public import Foyer

/// A screen that asks for one text: a view model in, the text out. It knows neither what comes next nor who asks, so
/// any flow can use it.
@FlowActor
public final class TextInputScreen: ScreenBased, TemplateBased, ViewModelBased {
    public static var templates: TemplateCatalog { TemplateCatalog(files: EmbeddedTemplates.all) }

    // Read once: a coordinator makes such a screen again for each rendering.
    private static let texts = templateOrNames

    /// What is shown; without one there is no screen.
    public var viewModel: TextInputViewModel?
    /// Told what was entered.
    public var didEnterText: ((Secret) -> Void)?

    public init() {}

    /// Makes the screen for a view model.
    public static func create(viewModel: TextInputViewModel) -> Self {
        instantiate(with: viewModel)
    }

    /// What the screen looks like; the template gives the actions their titles and order.
    public func makeScreen(id: Screen.ID, actions: [ScreenAction], progress: Screen.Progress? = nil) -> Screen? {
        guard let viewModel else { return nil }
        return Screen(
            id: id, title: viewModel.title, content: .form([viewModel.fieldView]),
            actions: Self.texts.arrange(actions), progress: progress)
    }

    /// Tells what was entered; nothing, where the input carries no text for the field.
    public func handle(_ input: ScreenInput) {
        guard input.action == ScreenAction.accept.id, let viewModel, let text = input.values[viewModel.key] else {
            return
        }
        didEnterText?(text)
    }
}
