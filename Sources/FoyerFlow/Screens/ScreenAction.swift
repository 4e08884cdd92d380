/// Something that a person can do on a screen.
public struct ScreenAction: Codable, Hashable, Sendable, Identifiable {
    /// How a presenter may set an action apart.
    public enum Role: String, Codable, Sendable {
        /// Like any other.
        case normal
        /// It takes something away that does not come back.
        case destructive
        /// It leaves without having done anything.
        case cancel
    }

    /// What an input calls it; stable.
    public let id: String
    /// What it is called on the screen.
    public let title: String
    /// How a presenter may set it apart.
    public let role: Role

    /// Makes an action.
    public init(_ id: String, title: String, role: Role = .normal) {
        self.id = id
        self.title = title
        self.role = role
    }

    /// Take what was entered and go on.
    public static let accept = ScreenAction("accept", title: "Continue")
    /// Send what was reviewed.
    public static let submit = ScreenAction("submit", title: "Send")
    /// Go to the screen before.
    public static let back = ScreenAction("back", title: "Back")
    /// Give up what this screen belongs to.
    public static let cancel = ScreenAction("cancel", title: "Cancel", role: .cancel)
}
