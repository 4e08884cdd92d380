public import Foyer

/// Shows how much is under way.
@FlowActor
public final class StatusScreen: ScreenBased, TemplateBased, ViewModelBased {
    public static var templates: TemplateCatalog { .foyer }

    /// Counts what is under way; without one there is no screen.
    public var viewModel: StatusViewModel?

    public init() {}

    /// The screen as of now.
    public func makeScreen(id: Screen.ID, actions: [ScreenAction] = []) async throws(StoreError) -> Screen? {
        guard let status = try await viewModel?.status() else { return nil }
        let template = Self.templateOrNames
        var lines = ["\(template.label("flows")) \(status.openFlows)", "\(template.label("outbox")) \(status.waiting)"]
        if let seconds = status.secondsToNext { lines.append("\(template.label("next")) \(seconds)") }
        return Screen(
            id: id, title: template.title, content: .message(lines.joined(separator: "\n")),
            actions: template.arrange(actions))
    }
}
