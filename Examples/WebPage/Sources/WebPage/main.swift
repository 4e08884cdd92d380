import FlowServer
import Foundation
import Foyer
import FoyerMockNetwork

// Usage: web-page PORT FOLDER serves a page to register with, until it is ended, anyhow.
guard CommandLine.arguments.count == 3, let port = UInt16(CommandLine.arguments[1]) else {
    print("Usage: web-page PORT FOLDER")
    exit(64)
}
let folder = CommandLine.arguments[2]
let foyer = try await AccountStore.open(
    at: "\(folder)/data/accounts.db", keyFile: "\(folder)/keys/key",
    network: .custom(MockNetwork(path: "\(folder)/data/accounts.db.mock-network")))
await foyer.service?.start()

let server = try HTTPServer(port: port)
let page = try Page(FlowSessions(foyer))
print("http://127.0.0.1:\(server.port)/")
fflush(nil)  // Who has started this may wait for the line on a pipe.
await server.run(page.respond)
