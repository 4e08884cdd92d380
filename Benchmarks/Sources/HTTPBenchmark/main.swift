import Foundation
import FoundationNetworking
import Foyer

// Requests per second of Foyer's HTTP client and of URLSession, against a server on loopback in this process.

let body = #"{"fields":{"email_field":"ada@example.org","user_name":"ada"},"schema":1,"secrets":{"password":{}}}"#

/// Sends so many requests, some at a time, and gives how many were answered in a second.
func rate(
    _ count: Int, atOnce: Int, _ send: @escaping @Sendable () async throws -> Int
) async throws -> Double {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<atOnce {
            group.addTask {
                for _ in 0..<(count / atOnce) {
                    let status = try await send()
                    precondition(status == 201, "status \(status)")
                }
            }
        }
        try await group.waitForAll()
    }
    return Double(count / atOnce * atOnce) / ((ContinuousClock.now - start) / .seconds(1))
}

let url = "http://127.0.0.1:\(Server().port)"

let network = HTTPNetwork(try HTTPNetwork.Configuration(url: url))
let makeID = FoyerEnvironment.system.makeID
let foyer: @Sendable () async throws -> Int = {
    try await network.submit(SubmissionRequest(key: makeID(), kind: .register, body: Secret(body))).status
}

let configuration = URLSessionConfiguration.ephemeral
configuration.httpMaximumConnectionsPerHost = 64
let session = URLSession(configuration: configuration)
let address = URL(string: "\(url)/v1/submissions/register")
let urlSession: @Sendable () async throws -> Int = {
    guard let address else { return 0 }
    var request = URLRequest(url: address)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    request.setValue("\"\(makeID().text)\"", forHTTPHeaderField: "Idempotency-Key")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    return (try await session.data(for: request).1 as? HTTPURLResponse)?.statusCode ?? 0
}

for atOnce in [1, 8, 64] {
    // Whatever comes with the first requests is not counted.
    for client in [foyer, urlSession] { _ = try await rate(256, atOnce: atOnce, client) }
    let rates = (try await rate(20_000, atOnce: atOnce, foyer), try await rate(10_000, atOnce: atOnce, urlSession))
    let ratio = (rates.0 / rates.1 * 10).rounded() / 10
    print("\(atOnce) at once: Foyer \(Int(rates.0))/s, URLSession \(Int(rates.1))/s, ratio \(ratio)")
}
