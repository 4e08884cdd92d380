public import Foyer

/// The screen to sign in, with two buttons more, which lead to the other stories.
@FlowActor
public final class LoginScreen: AuthenticateUserScreen, ScreenBased {
    /// Leads to a new account.
    lazy var signUpButton = buttonFactory(with: .signup)
    /// Leads to a new password.
    lazy var forgotPassButton = buttonFactory(with: .forgotpass)

    /// Makes the screen.
    public init() {
        super.init(type: .login)
    }

    override var buttons: [ScreenAction] { super.buttons + [signUpButton, forgotPassButton] }
}
