import Foyer
import FoyerPlatform

extension Command {
    /// Writes everything about a person as one JSON object: to standard output, or into a new file for its owner only.
    @MainActor
    static func export(_ user: User, _ foyer: AccountStore, _ options: Options) async throws -> ExitCode {
        let data = try await foyer.personalData(of: user.id)
        let members = JSONValue.members(of: data)
        guard let path = options.output else {
            Output.json(members)
            return .done
        }
        try save(Output.text(of: members) + "\n", toNewFile: path)
        if options.json { Output.json(["path": .string(path)]) } else { Output.exact(path) }
        return .done
    }
}

/// Makes a file that was not there, for its owner only.
private func save(_ text: String, toNewFile path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotWrite(path) }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
        guard count > 0 || errno == EINTR else { break }
        rest = rest.dropFirst(max(0, count))
    }
    guard rest.isEmpty, fsync(descriptor) == 0 else {
        let failure = Failure.cannotWrite(path)
        // Half of it is worth nothing, and would be somebody's data in a file that nobody expects.
        unlink(path)
        throw failure
    }
    // Its name has to be on the disk, too.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw .cannotWrite(folder) }
    defer { close(parent) }
    guard fsync(parent) == 0 else { throw .cannotWrite(folder) }
}

extension Failure {
    fileprivate static func cannotWrite(_ path: String) -> Failure {
        let isTaken = errno == EEXIST
        return Failure(
            code: isTaken ? "cannot_create" : "io_error",
            message: isTaken
                ? "\(path) is there already, and an export overwrites nothing. Give another name."
                : "\(path) cannot be written: \(String(cString: strerror(errno))).",
            exit: isTaken ? .cannotCreate : .ioError)
    }
}

extension JSONValue {
    fileprivate static func members(of data: PersonalData) -> [String: JSONValue] {
        [
            "user": JSONValue(data.user), "flows": .array(data.flows.map { JSONValue(withTextsOf: $0) }),
            "submissions": .array(data.submissions.map { JSONValue($0) }),
            "events": .array(data.events.map { JSONValue($0) }),
        ]
    }

    /// The flow with its answers, and with what was typed and not confirmed.
    private init(withTextsOf flow: SavedFlow) {
        guard case .object(var members) = JSONValue(withAnswersOf: flow) else {
            self = .null
            return
        }
        members["unsent_texts"] = .object(flow.unsent.mapValues(JSONValue.string))
        self = .object(members)
    }

    private init(_ sent: PersonalData.SentData) {
        guard case .object(var members) = JSONValue(sent.submission, sent.attempts) else {
            self = .null
            return
        }
        members["body"] = .string(sent.body)
        self = .object(members)
    }

    private init(_ entry: JournalEntry) {
        self = .object([
            "seq": .integer(entry.seq), "at": JSONValue(entry.at), "what": .string(entry.event.what),
            "flow_id": JSONValue(entry.flowID), "submission_id": JSONValue(entry.submissionID),
            "user_id": JSONValue(entry.userID), "detail": JSONValue(entry.event.detail),
        ])
    }
}
