public import Foyer

/// The texts of a screen, and the order of what can be done there.
public struct ScreenTemplate: Codable, Equatable, Sendable {
    /// The types that the texts are meant for.
    public let screens: [String]
    /// The heading.
    public let title: String
    /// The screen's other texts, by name; those of its actions by the actions' identifiers.
    public let labels: [String: String]
    /// The identifiers of the actions in their order.
    public let order: [String]

    /// Makes a template.
    public init(screens: [String], title: String, labels: [String: String] = [:], order: [String] = []) {
        self.screens = screens
        self.title = title
        self.labels = labels
        self.order = order
    }

    /// The text of that name; without one, the name.
    public func label(_ name: String) -> String { labels[name] ?? name }

    /// The actions with the template's titles and in its order; those that it does not know stay as they are, last.
    public func arrange(_ actions: [ScreenAction]) -> [ScreenAction] {
        let known = order.compactMap { id in actions.first { $0.id == id } }
        let others = actions.filter { !order.contains($0.id) }
        return (known + others).map { ScreenAction($0.id, title: labels[$0.id] ?? $0.title, role: $0.role) }
    }
}
