import Foyer

let server = try HTTPNetwork.Configuration(url: "https://accounts.example.org")
let store = try await AccountStore.open(at: "data/accounts.db", keyFile: "keys/key", network: .http(server))
let unfinished = try await store.newestUnfinishedFlow()
let host = if let unfinished { try await store.resume(unfinished) } else { await store.register() }
while let screen = await host.screen, let field = screen.fields.first {
    print("\(field.label):")
    guard let line = readLine() else { break }
    _ = try await host.send(ScreenInput(for: screen, .accept, values: [field.key: Secret(line)]))
}
print(try await store.sync(waitingUpTo: .seconds(5)).accepted, "accepted")
try await store.close()
