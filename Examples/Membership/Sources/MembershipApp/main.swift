import Foundation
import Foyer
import Membership

// Usage: membership FOLDER. Ended anywhere, the next start goes on there. Exit: 0 a member, 75 saved.
let folder = CommandLine.arguments.dropFirst().first ?? "."
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
let club = try Club(file: "\(folder)/club.json")
let foyer = try await AccountStore.open(
    at: "\(folder)/data/members.db", keyFile: "\(folder)/keys/key", network: .custom(club),
    definitions: [MembershipForm.definition()])

let unfinished = try await foyer.newestUnfinishedFlow()
let host = try await foyer.host(MembershipCoordinator(resuming: unfinished, in: foyer))

while let screen = await host.screen {
    if let action = screen.actions.first {
        guard let answers = ask(screen) else { exit(75) }
        _ = try await host.send(ScreenInput(for: screen, action, values: answers))
    } else {
        // Nothing to do but to wait for the club, which may also ask for another answer.
        guard try await host.deliver(within: .seconds(5)) else { exit(75) }
    }
}
print("Welcome to the club; we are \(await club.memberCount) now.")
try await foyer.close()

/// What is entered for a screen; nil when nobody answers.
func ask(_ screen: Screen) -> [String: Secret]? {
    if let progress = screen.progress { print("\(progress.step)/\(progress.count)", terminator: " ") }
    if case .review(let lines) = screen.content {
        for line in lines { print("\(line.label): \(line.value ?? "")") }
        print("Press Return to send it.")
        return readLine().map { _ in [:] }
    }
    var answers: [String: Secret] = [:]
    for field in screen.fields {
        print([field.label, field.error?.text ?? field.hint].compactMap(\.self).joined(separator: ": "))
        fflush(nil)  // On a pipe, too, the question comes before the answer.
        guard let line = readLine() else { return nil }
        answers[field.key] = Secret(line)
    }
    return answers
}
