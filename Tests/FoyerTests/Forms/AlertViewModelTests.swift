import FoyerFlow
import FoyerModel
import Testing

@testable import Foyer
@testable import FoyerApp

@Suite @FlowActor struct AlertViewModelTests {
    @Test("A24: the alert is called Form Invalid, has one destructive button Rodger!, and is a screen")
    func alert() {
        let screen = AlertViewModel(message: "Something").makeScreen(id: "login/alert")
        #expect(screen.title == "Form Invalid" && screen.content == .alert("Something"))
        #expect(screen.actions == [ScreenAction("dismissAlert", title: "Rodger!", role: .destructive)])
    }

    @Test(
        "A25: each story has its own words, each error a line of its own, and no line is blank (fault 4)",
        arguments: [
            (.login, [], "You are not signed in yet."),
            (.login, ["One", "Two"], "You are not signed in yet.\nOne\nTwo"),
            (.setup, [], "Your account is not made yet."),
            (.setup, ["One"], "Your account is not made yet.\nOne"),
            (.forgotPassword, [], "You have not asked for a new password yet."),
            (.forgotPassword, ["One", "Two"], "You have not asked for a new password yet.\nOne\nTwo"),
        ] as [(AccountType, [String], String)])
    func perStory(type: AccountType, errors: [String], message: String) {
        #expect(AlertViewModel(for: type, errors: errors).message == message)
    }
}
