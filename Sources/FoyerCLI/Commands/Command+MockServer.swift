import Dispatch
import Foyer
import FoyerMockNetwork
import FoyerPlatform

extension Command {
    static let mockServer = Command(
        name: "mock-server", summary: "the mock network over HTTP on this machine, with faults on request",
        details: "It serves until a signal ends it, and prints its address when it is ready.",
        flags: [
            MockServerOptions.portFlag, MockServerOptions.stateFlag, MockServerOptions.faultFlag,
            MockServerOptions.seedFlag,
        ],
        examples: [
            "foyer mock-server --port 8080 --state accounts.db",
            "foyer mock-server --seed 7 --fault lost:30% --fault rst:10% --fault status=503,retry-after=2:#3",
        ], exitCodes: [.cannotCreate, .configuration]
    ) { invocation in
        try await invocation.options.mockServer.serve(asJSON: invocation.options.json)
    }
}

/// What the flags of `foyer mock-server` say.
struct MockServerOptions {
    var port: UInt16 = 0
    var seed: UInt64?
    var state: String?
    var faults: [Fault] = []

    static let portFlag = Flag(
        name: "--port", value: .text("NUMBER"), summary: "its port (0: a free one)", standard: { _ in "0" }
    ) { options, text throws(Failure) in
        options.mockServer.port = try number(text, "--port takes a number from 0 to 65535")
    }

    static let stateFlag = Flag(
        name: "--state", value: .file("FILE"), summary: "its accounts (else they are temporary)"
    ) {
        $0.mockServer.state = $1
    }

    static let faultFlag = Flag(
        name: "--fault", value: .text("SPEC"),
        summary: "what goes wrong, such as lost:30% or rst:#2; can be given several times"
    ) { options, text throws(Failure) in
        do throws(Fault.SpecError) { options.mockServer.faults.append(try Fault(text)) } catch {
            throw .usage(error.message)
        }
    }

    static let seedFlag = Flag(
        name: "--seed", value: .text("NUMBER"), summary: "which requests a share of faults meets"
    ) { options, text throws(Failure) in
        options.mockServer.seed = try number(text, "--seed takes a whole number that is not negative")
    }

    private static func number<Number: FixedWidthInteger>(
        _ text: String, _ rule: String
    ) throws(Failure) -> Number {
        guard let number = Number(text) else { throw .usage("\(rule), not \"\(text)\".") }
        return number
    }

    /// Serves until a signal comes, and then ends the program by that signal.
    @MainActor
    fileprivate func serve(asJSON: Bool) async throws -> ExitCode {
        let signals = EndingSignals()
        let folder = state == nil ? try TemporaryState() : nil
        defer { folder?.remove() }
        var configuration = MockServer.Configuration(state: state ?? folder?.file ?? "")
        configuration.port = port
        configuration.faults = faults
        // Chance is wanted only where somebody asked for it; whatever it is, it can be had again.
        configuration.seed = seed ?? UInt64.random(in: 0..<1_000_000)
        let server: MockServer
        do { server = try await MockServer.start(configuration) } catch { throw Failure(error) }
        if asJSON { Output.json(["url": .string(server.url)]) } else { Output.line(server.url) }
        guard Output.failure == nil else {
            // Nobody knows where it is.
            await server.stop()
            return .ioError
        }
        Output.error(
            state.map { "Accounts are kept in \($0)." } ?? "Accounts are temporary: they go when the server does.")
        if !faults.isEmpty { Output.error("Faults follow --seed \(configuration.seed).") }
        let signal = await signals.next()
        await server.stop()
        folder?.remove()
        signals.end(by: signal)
        return .done
    }
}

extension Failure {
    fileprivate init(_ error: MockServerError) {
        let exit: ExitCode =
            switch error.code {
            case .badFaults: .usage
            case .cannotCreateState: .cannotCreate
            case .cannotOpenState: .configuration
            default: .failed
            }
        self.init(code: error.code.rawValue, message: error.message, exit: exit)
    }
}

/// A folder for this run of the server alone.
private struct TemporaryState {
    private let folder: String
    var file: String { "\(folder)/state" }

    init() throws(Failure) {
        let parent = try environmentVariable("TMPDIR") ?? "/tmp"
        var template = "\(parent)/foyer-mock-server-XXXXXX".utf8CString.map { $0 }
        guard mkdtemp(&template) != nil else {
            throw Failure(
                code: "cannot_create", message: "No temporary folder can be made in \(parent); name a --state.",
                exit: .cannotCreate)
        }
        folder = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes it with the files that the server makes there.
    func remove() {
        for suffix in ["", "-wal", "-shm", ".lock"] { unlink(file + suffix) }
        rmdir(folder)
    }
}

/// Takes the signals that end a program, so that it can put things in order before.
@MainActor
private final class EndingSignals {
    private var sources: [any DispatchSourceSignal] = []
    private let stream: AsyncStream<Int32>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.stream = stream
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let before = signal(number, SIG_IGN)
            // What the caller ignores, as `nohup` does with SIGHUP, stays ignored.
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable in continuation.yield(number) }
            source.resume()
            sources.append(source)
        }
    }

    func next() async -> Int32 {
        for await number in stream { return number }
        return SIGTERM
    }

    /// Ends the program as the signal would have done.
    func end(by number: Int32) {
        signal(number, SIG_DFL)
        // The threads that tasks run on let no signal in.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}
