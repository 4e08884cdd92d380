import FoyerModel
import FoyerSync

extension SyncService {
    /// Tells a log what the service does, until it is stopped.
    nonisolated func report(to log: @escaping Log) {
        let events = events
        Task {
            for await event in events {
                if let line = LogLine(event) { log(line) }
            }
        }
    }
}

extension LogLine {
    /// Nil for what is of no use later.
    fileprivate init?(_ event: SyncEvent) {
        switch event {
        case .settled(let id, let kind, let outcome, _):
            self.init(
                "submission.settled", ["id": .id(id), "kind": .word(kind.rawValue), "outcome": .word(outcome)])
        case .unknownCode(let id, let field, let code):
            self.init("refusal.unknown_code", ["id": .id(id), "field": .word(field), "code": .word(code)])
        case .tooLate(let id): self.init("submission.too_late", ["id": .id(id)])
        case .failed(let error): self.init("sync.failed", ["code": .word(error.code.rawValue)])
        case .sending, .waiting: return nil
        }
    }
}
