public import FoyerModel

/// What a presenter sends back for a screen.
public struct ScreenInput: Sendable {
    /// The screen that it is for.
    public let screen: String
    /// The revision of that screen.
    public let revision: Int
    /// The identifier of what to do.
    public let action: ScreenAction.ID
    /// What was entered, by the fields' keys; held as secrets, because some of it is.
    public let values: [String: Secret]

    /// Makes an input from its parts, such as one that came as JSON.
    public init(screen: String, revision: Int, action: ScreenAction.ID, values: [String: Secret] = [:]) {
        self.screen = screen
        self.revision = revision
        self.action = action
        self.values = values
    }

    /// Makes the input for a screen as it was shown.
    public init(for screen: Screen, _ action: ScreenAction, values: [String: Secret] = [:]) {
        self.init(screen: screen.id, revision: screen.revision, action: action.id, values: values)
    }
}
