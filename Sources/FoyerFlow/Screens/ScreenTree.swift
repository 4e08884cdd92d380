/// Where each screen of the program stands.
public indirect enum ScreenTree: Codable, Equatable, Sendable {
    /// One screen.
    case screen(Screen)
    /// Screens on top of each other, the visible one last.
    case stack([ScreenTree])
    /// Something that has to be dealt with before what is under it.
    case modal(over: ScreenTree, ScreenTree)
    /// Activities beside each other, of which one is shown.
    case tabs([TabItem], selected: String, ScreenTree)

    /// The screen that takes the input; nil only where there is none.
    public var active: Screen? {
        switch self {
        case .screen(let screen): screen
        case .stack(let trees): trees.last?.active
        case .modal(_, let top): top.active
        case .tabs(_, _, let shown): shown.active
        }
    }

    /// The tabs that can be chosen at the moment; empty where there are none, and under something modal.
    public var tabs: [TabItem] {
        switch self {
        case .screen, .modal: []
        case .stack(let trees): trees.last?.tabs ?? []
        case .tabs(let items, _, let shown): items + shown.tabs
        }
    }

    /// What a person can do at the moment: the visible screen's actions, and the tabs.
    public var actions: [ScreenAction] {
        (active?.actions ?? []) + tabs.map(\.action)
    }

    /// The same tree with this revision on every screen.
    func stamped(_ revision: Int) -> ScreenTree {
        switch self {
        case .screen(var screen):
            screen.revision = revision
            return .screen(screen)
        case .stack(let trees): return .stack(trees.map { $0.stamped(revision) })
        case .modal(let under, let top): return .modal(over: under.stamped(revision), top.stamped(revision))
        case .tabs(let items, let selected, let shown):
            return .tabs(items, selected: selected, shown.stamped(revision))
        }
    }
}

/// One tab: what it is called, and the names of its pictures.
public struct TabItem: Codable, Hashable, Sendable, Identifiable {
    /// The stable name of the tab.
    public let id: String
    /// What it is called on the screen.
    public let title: String
    /// The name of its picture.
    public let image: String
    /// The name of its picture while it is selected.
    public let selectedImage: String

    /// Makes a tab.
    public init(_ id: String, title: String, image: String, selectedImage: String) {
        self.id = id
        self.title = title
        self.image = image
        self.selectedImage = selectedImage
    }

    /// The action that selects it.
    public var action: ScreenAction { ScreenAction("tab.\(id)", title: title) }
}
