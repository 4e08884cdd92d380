import Testing

/// One of the three stories of the golden transcripts, as the inputs that the program gets in it.
struct GoldenStory: Sendable, CustomTestStringConvertible {
    /// The transcript's name.
    let name: String
    /// What is said on the command line when the story begins, and only then.
    var start: [String] = []
    /// What is said on the command line at every start.
    var options: [String] = []
    /// Whether Ada has an account when the story begins.
    var isRegistered = false
    let inputs: [Input]
    /// What is asked at a terminal when all inputs were given.
    let lastPrompt: String
    /// The exit code at the end of the story's input.
    var exit: Int32 = 0

    /// What somebody does on one screen.
    struct Input: Sendable {
        let screen: String
        let action: String
        var values: [(key: String, text: String)] = []
        /// What it is at a terminal, where it is not the texts alone: the prompt, and what is typed.
        var typed: (prompt: String, text: String)?
    }

    var testDescription: String { name }

    static let all = [setup, login, forgotPassword]

    static let setup = GoldenStory(
        name: "setup",
        inputs: [
            .fill("account/setup", email: "ada", userName: "", password: "short"), .dismiss("account/setup"),
            .fill("account/setup", email: Person.ada.email, userName: "ada", password: "short"),
            .dismiss("account/setup"),
            .fill("account/setup", email: Person.ada.email, userName: Person.ada.userName, password: Person.password),
            .fill("account/register/firstName", [("firstName", "Ada")]),
            .act("account/register/lastName", "back", "<", at: "Last Name: "),
            .fill("account/register/firstName", [("firstName", "Ada")]),
            .fill("account/register/lastName", [("lastName", "Lovelace")]), .done,
        ], lastPrompt: "User Name: ")

    static let login = GoldenStory(
        name: "login", isRegistered: true,
        inputs: [
            .act("account/setup", "login", "/login", at: "Email Address: "),
            .fill("account/login", userName: "Ada.L", password: "short"), .dismiss("account/login"),
            .fill("account/login", userName: "Ada.L", password: "not this password"),
            .fill("account/login/password", [("password", Person.password)], at: "[2/2] Password: "), .done,
            .act("account/login", "signup", "/signup", at: "User Name: "),
        ], lastPrompt: "Email Address: ")

    static let forgotPassword = GoldenStory(
        name: "forgotPassword", start: ["--start", "login"], options: ["--network", "offline"],
        inputs: [
            .act("account/login", "forgotpass", "/forgotpass", at: "User Name: "),
            .fill("account/forgotPassword", [("email_field", "nobody")]), .dismiss("account/forgotPassword"),
            .fill("account/forgotPassword", [("email_field", "nobody@example.org")]),
            .act("account/reset/submitted", "tab.about", "/tab.about", at: "[Back] "),
            .act("about/home", "contact", "2", at: "[Give feedback] "),
            .act("about/contact", "back", "<", at: "[Back] "), .act("about/home", "rate", "3", at: "[Give feedback] "),
            .act("about/home", "tab.account", "/tab.account", at: "[Give feedback] "),
        ], lastPrompt: "[Back] ", exit: 75)
}

extension GoldenStory.Input {
    static func fill(_ screen: String, _ values: [(String, String)], at prompt: String? = nil) -> Self {
        let typed = prompt.map { (prompt: $0, text: values[0].1) }
        return Self(
            screen: "app/\(screen)", action: "accept", values: values.map { (key: $0, text: $1) }, typed: typed)
    }

    static func fill(_ screen: String, email: String? = nil, userName: String, password: String) -> Self {
        let address = email.map { [("email_field", $0)] } ?? []
        return fill(screen, address + [("user_name", userName), ("password", password)])
    }

    static func act(_ screen: String, _ action: String, _ text: String, at prompt: String) -> Self {
        Self(screen: "app/\(screen)", action: action, typed: (prompt, text))
    }

    static func dismiss(_ form: String) -> Self { act("\(form)/alert", "dismissAlert", "", at: "[Rodger!] ") }

    static let done = act("account/result", "done", "", at: "[Done] ")

    private static let labels = [
        "email_field": "Email Address", "user_name": "User Name", "password": "Password", "firstName": "First Name",
        "lastName": "Last Name",
    ]

    /// The prompts at a terminal, as far as they do not depend on what the field shows already, and what is typed.
    var lines: [(prompt: String, text: String)] {
        if let typed { return [typed] }
        return values.map { (Self.labels[$0.key] ?? $0.key, $0.text) }
    }
}

/// What a killed program forgets, because it was in its memory alone: the one place that says so.
enum Forgotten {
    /// The input is not needed any more.
    case skip
    /// The input before has to be repeated.
    case repeatLast

    /// What has become of an input whose screen is not shown after a restart; nil where nothing may be forgotten.
    init?(_ input: GoldenStory.Input, after last: GoldenStory.Input?, shown: String) {
        // An alert, and what was typed into the form under it.
        let isAlert = input.action == "dismissAlert" && input.screen == "\(shown)/alert"
        // What the network has said; the form of the story is there again.
        let isResult = input.action == "done" && ["app/account/setup", "app/account/login"].contains(shown)
        // Which of a tab's own screens was shown; the tab is at its first again.
        let isInTab = input.screen == "app/about/contact" && shown == "app/about/home"
        // How far somebody had gone back in a flow; it is at its first open question again.
        let isBack = last?.action == "back" && last?.screen == shown
        guard isAlert || isResult || isInTab || isBack else { return nil }
        self = isBack ? .repeatLast : .skip
    }

    /// Whether the place after a restart is the one before it, but for what may be forgotten.
    static func allows(_ place: [String], after before: [String]) -> Bool {
        let top = before.last ?? ""
        let isInMemory = top.hasSuffix("/alert") || top == "app/account/result" || top == "app/about/contact"
        if isInMemory { return place == before.dropLast() }
        let isBack = top == "app/account/register/firstName" && place.dropLast() == before
        return place == before || isBack
    }
}
