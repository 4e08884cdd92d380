import Foyer

/// A failure as the program tells it: a stable code, a sentence, and how the program ends.
struct Failure: Error, Equatable {
    let code: String
    let message: String
    let exit: ExitCode
    /// The step whose answer was refused.
    var field: String?

    init(code: String, message: String, exit: ExitCode, field: String? = nil) {
        self.code = code
        self.message = message
        self.exit = exit
        self.field = field
    }

    static func usage(_ message: String) -> Failure {
        Failure(code: "usage", message: message, exit: .usage)
    }

    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as StoreError:
            self.init(code: error.code.rawValue, message: error.advice, exit: ExitCode(error.code))
        case let error as DeepLinkError:
            self.init(code: "no_such_place", message: error.description, exit: .usage)
        default: self.init(code: "failed", message: "Something unexpected went wrong: \(error)", exit: .failed)
        }
    }

    /// Tells it: on standard error for people, with `--json` also as the one object on standard output.
    @MainActor
    func report(asJSON: Bool) -> ExitCode {
        Output.error("foyer: \(message)")
        if asJSON {
            var error: [String: JSONValue] = ["code": .string(code), "message": .string(message)]
            if let field { error["field"] = .string(field) }
            Output.json(["error": .object(error)])
        }
        return exit
    }
}

extension ExitCode {
    fileprivate init(_ code: StoreError.Code) {
        switch code {
        case .notFound, .ambiguous, .noDatabase, .flowGone: self = .nothingThere
        case .cannotCreate, .databaseInUse: self = .cannotCreate
        case .ioError, .diskFull, .readOnly, .databaseGone: self = .ioError
        case .busy, .inFlight: self = .saved
        case .corrupt, .damagedRow, .foreignDatabase, .foreignSchema, .newerSchema, .unreleasedSchema, .unsafePath,
            .unsafePermissions, .keyMissing, .keyLocked, .wrongKey, .unsafeKeyFile, .tampered:
            self = .configuration
        default: self = .failed
        }
    }
}
