import Foundation
import FlowServer
import Foyer
import FoyerMockNetwork

// Usage: flow-server PORT FOLDER serves until it is ended, anyhow; flow-server --check FOLDER tries it out.
let arguments = CommandLine.arguments.dropFirst()
guard let mode = arguments.first, let folder = arguments.dropFirst().first else {
    print("Usage: flow-server PORT FOLDER | flow-server --check FOLDER")
    exit(64)
}
if mode == "--check" {
    exit(try await Check(folder: folder).run() ? 0 : 1)
}
guard let port = UInt16(mode) else { exit(64) }

let foyer = try await openStore(in: folder)
let server = try HTTPServer(port: port)
let routes = FlowRoutes(FlowSessions(foyer))
print("http://127.0.0.1:\(server.port)/flows")
fflush(nil)  // Who has started this may wait for the line on a pipe.
await server.run(routes.respond)

/// Opens the store, and delivers from now on whatever is finished.
func openStore(in folder: String) async throws -> AccountStore {
    let foyer = try await AccountStore.open(
        at: "\(folder)/data/accounts.db", keyFile: "\(folder)/keys/key",
        network: .custom(MockNetwork(path: "\(folder)/data/accounts.db.mock-network")))
    await foyer.service?.start()
    return foyer
}
