import Foundation
import Foyer

// An app that returns from its main function and closes nothing. Arguments: the address of a server, the file with its
// certificate authority, and when it returns: when a request is `answered`, also with its network `released`; or at the
// end of its standard input, while a request is `waiting`, or while several are `busy` one after the other. With a fourth
// argument it uses OpenSSL before.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let configuration = try? HTTPNetwork.Configuration(url: arguments[1], caFile: arguments[2])
else {
    print("ReturningApp URL FILE answered|released|waiting|busy")
    exit(64)
}
if arguments.count > 4 {
    let begin = dlopen("libssl.so.3", RTLD_NOW).flatMap { dlsym($0, "OPENSSL_init_ssl") }
    typealias Begin = @convention(c) (UInt64, UnsafeRawPointer?) -> Int32
    _ = begin.map { unsafeBitCast($0, to: Begin.self)(0, nil) }
}

/// Never given up, like the store of an app that closes nothing.
let network = HTTPNetwork(configuration)

@Sendable func send(on network: HTTPNetwork = network) async {
    let id = FoyerEnvironment.system.makeID()
    do throws(NetworkFailure) {
        let reply = try await network.submit(SubmissionRequest(key: id, kind: .register, body: Secret("{}")))
        print("answer \(reply.status)")
    } catch {
        print("failure")
    }
}

switch arguments[3] {
case "answered", "released":
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await send(on: arguments[3] == "released" ? HTTPNetwork(configuration) : network)
        done.signal()
    }
    done.wait()
case "busy":
    for _ in 0..<4 {
        Task.detached { while true { await send() } }
    }
    while readLine() != nil {}
default:
    Task.detached { await send() }
    while readLine() != nil {}
}
print("returns")
