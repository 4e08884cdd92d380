import Dispatch
import Foyer
import FoyerPlatform

extension Command {
    /// Delivers whatever falls due until a signal ends it, or the database is lost; with `--json` each event is a line.
    @MainActor
    static func watch(_ options: Options) async throws -> ExitCode {
        let foyer = try await options.open()
        guard let service = foyer.service else {
            throw Failure.usage("Nothing is delivered with --network offline, so there is nothing to watch.")
        }
        let events = service.events
        await service.start()
        let (endings, end) = AsyncStream.makeStream(of: Ending.self)
        let teller = Task {
            for await event in events {
                if case .failed(let error) = event, error.code == .databaseGone {
                    end.yield(.databaseGone(error))
                } else {
                    tell(event, foyer, options)
                }
                if Output.failure != nil { end.yield(.outputGone) }
            }
        }
        let sources = endingSignals { end.yield(.signal($0)) }
        var first = endings.makeAsyncIterator()
        let ending = await first.next()
        sources.forEach { $0.cancel() }
        await service.stop()
        await teller.value
        switch ending {
        case .databaseGone(let error): throw error
        case .outputGone, nil: return .ioError
        case .signal(let number):
            await options.opened.closeAll()
            SignalGuard.end(by: number)
            return .failed
        }
    }

    private enum Ending {
        case signal(Int32)
        /// Nobody reads any more what it tells.
        case outputGone
        /// Nothing can be delivered from the store any more.
        case databaseGone(StoreError)
    }

    /// Tells of the signals that are meant to end the program; a second one ends it at once.
    private nonisolated static func endingSignals(
        _ tell: @escaping @Sendable (Int32) -> Void
    ) -> [any DispatchSourceSignal] {
        let ending = [SIGINT, SIGTERM, SIGHUP].filter { number in
            // What the caller ignores, as `nohup` does with SIGHUP, stays ignored.
            let before = signal(number, SIG_IGN)
            return unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
        }
        return ending.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable in
                signal(number, SIG_DFL)
                tell(number)
            }
            source.resume()
            return source
        }
    }

    @MainActor
    private static func tell(_ event: SyncEvent, _ foyer: AccountStore, _ options: Options) {
        if options.json { return Output.json(members(of: event)) }
        switch event {
        case .settled(let id, let kind, let outcome, let problem):
            Output.line("\(id.ending) \(kind.rawValue) \(outcome)\(problem.map { ": \($0)" } ?? "")")
            if outcome == "accepted" { foyer.mentionMockNetwork() }
        case .failed(let error): Output.error(error.advice)
        case .waiting(let backlog):
            let others = backlog.elsewhere.sorted { $0.key < $1.key }.map { ", \($0.value) of them for \($0.key)" }
            Output.error("\(backlog.waiting) waiting\(others.joined()).")
        case .sending, .unknownCode, .tooLate: break
        }
    }

    private static func members(of event: SyncEvent) -> [String: JSONValue] {
        switch event {
        case .sending(let id, let kind):
            ["event": .string("sending"), "submission_id": JSONValue(id), "kind": .string(kind.rawValue)]
        case .settled(let id, let kind, let outcome, let problem):
            [
                "event": .string("settled"), "submission_id": JSONValue(id), "kind": .string(kind.rawValue),
                "outcome": .string(outcome), "problem": JSONValue(problem),
            ]
        case .unknownCode(let id, let field, let code):
            [
                "event": .string("unknown_code"), "submission_id": JSONValue(id), "field": .string(field),
                "code": .string(code),
            ]
        case .tooLate(let id): ["event": .string("too_late"), "submission_id": JSONValue(id)]
        case .waiting(let backlog): ["event": .string("waiting"), "waiting": JSONValue(backlog.waiting)]
        case .failed(let error):
            [
                "event": .string("failed"),
                "error": .object(["code": .string(error.code.rawValue), "message": .string(error.advice)]),
            ]
        }
    }
}
