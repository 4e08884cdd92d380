import Foyer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The program's screens as JSON lines, so that any other program can be the user interface.
///
/// Out: `{"schema":1,"screens":…}` after every input. In: `{"screen":"…","revision":3,"action":"…","values":{…}}`.
@MainActor
struct JSONLinesPresenter: AppPresenter {
    private let input = StandardInput()

    private struct Line: Encodable {
        let schema = 1
        let screens: ScreenTree
    }

    private struct Told: Encodable {
        let schema = 1
        let result: String
        var request: ExternalRequest?
    }

    private struct Input: Decodable {
        let screen: String
        let revision: Int
        let action: String
        let values: [String: String]?
    }

    func ask(_ tree: ScreenTree) -> ScreenInput? {
        write(Line(screens: tree))
        while let line = input.readLine() {
            let decoded = line.withBytes { try? JSONDecoder().decode(Input.self, from: Data($0)) }
            guard let decoded else {
                write(Told(result: "malformed"))
                continue
            }
            return ScreenInput(
                screen: decoded.screen, revision: decoded.revision, action: decoded.action,
                values: (decoded.values ?? [:]).mapValues { Secret($0) })
        }
        return nil
    }

    func tell(_ result: FlowHost.Result) {
        switch result {
        case .taken: write(Told(result: "taken"))
        case .refused: write(Told(result: "refused"))
        case .stale: write(Told(result: "stale"))
        case .asks(let request): write(Told(result: "taken", request: request))
        }
    }

    private func write(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return }
        Output.line(String(decoding: data, as: UTF8.self))
    }
}
