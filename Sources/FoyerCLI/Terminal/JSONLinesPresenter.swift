import Foyer
import FoyerPlatform

/// The program's screens as JSON lines, so that any other program can be the user interface.
///
/// One line out at the start, and one for every line in; `Documentation/json-presenter.md` describes them.
@MainActor
final class JSONLinesPresenter: AppPresenter {
    private let input = StandardInput()
    /// What is said about the last line, together with the screens that it led to.
    private var answer = Answer()
    private var shown: ScreenTree?
    /// Without its values.
    private var lastInput: ScreenInput?

    private struct Answer: Encodable {
        let schema = 1
        var result: String?
        var request: ExternalRequest?
        var error: Trouble?
        var notes: [String]?
        var screens: ScreenTree?
    }

    private struct Trouble: Encodable {
        let code: String
        let message: String
    }

    func ask(_ tree: ScreenTree) -> ScreenInput? {
        shown = tree
        write(tree)
        // Nobody sees what an input leads to where standard output is gone.
        while Output.failure == nil, let line = input.readLine() {
            if let input = line.withBytes(ScreenInput.init(json:)) {
                lastInput = ScreenInput(screen: input.screen, revision: input.revision, action: input.action)
                return input
            }
            answer = Answer(result: "malformed")
            write(tree)
        }
        return nil
    }

    func tell(notes: [String]) {
        if !notes.isEmpty { answer.notes = notes }
    }

    func tell(_ result: FlowHost.Result) {
        switch result {
        case .taken: answer = Answer(result: "taken")
        case .refused: answer = Answer(result: "refused")
        case .stale: answer = Answer(result: reason)
        case .asks(let request): answer = Answer(result: "taken", request: request)
        }
    }

    func tell(_ error: StoreError) {
        answer = Answer(result: "failed", error: Trouble(code: error.code.rawValue, message: error.advice))
    }

    /// Why nothing was done about the last input.
    private var reason: String {
        guard let lastInput, let shown, let screen = shown.active, screen.id == lastInput.screen,
            screen.revision == lastInput.revision
        else { return "stale" }
        return shown.actions.contains { $0.id == lastInput.action } ? "incomplete" : "unknown"
    }

    private func write(_ tree: ScreenTree) {
        answer.screens = tree
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(answer) else { return }
        Output.exact(PrintableText.escapedJSON(String(decoding: data, as: UTF8.self)))
    }
}
