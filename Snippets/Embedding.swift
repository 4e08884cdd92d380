import Foyer

let folder = CommandLine.arguments.dropFirst().first ?? "."
let foyer = try await Foyer.open(at: "\(folder)/accounts.db", keyFile: "\(folder)/keys/key", network: .mock)

// Somebody may be half-way through the door already; otherwise a new registration begins.
let host =
    if let unfinished = try await foyer.newestUnfinishedFlow() {
        try await foyer.resume(unfinished, didFinish: { print("Welcome back, \($0?.firstName ?? "")") })
    } else {
        await foyer.register(didFinish: { print("Welcome, \($0.firstName ?? "")") })
    }

// A presenter draws a screen and sends back what was entered; each answer is on the disk before the next screen.
let answers = [
    "email": "ada@example.org", "userName": "ada", "password": "correct horse", "firstName": "Ada",
    "lastName": "Lovelace",
]
while let screen = await host.screen, let field = screen.fields.first {
    print("\(screen.title): \(field.label)")
    _ = try await host.send(
        ScreenInput(for: screen, .accept, values: [field.key: Secret(answers[field.key] ?? "")]))
}

// What was finished waits in the outbox until the network has it; then the flow learns the verdict.
let report = try await foyer.sync(waitingUpTo: .seconds(5))
try await host.reload()
print("\(report.accepted) accepted, \(report.waiting) waiting")
try await foyer.close()
