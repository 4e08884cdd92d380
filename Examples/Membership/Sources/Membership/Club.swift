public import Foyer
import Foundation

/// The club that decides who becomes a member: any service can stand behind `AccountNetwork`.
///
/// What it was asked under one key it answers once, and repeats: asking again after a crash has no second effect.
public actor Club: AccountNetwork {
    public nonisolated let endpoint = "reading club"
    private let file: URL
    private var book: Book

    /// All that the club remembers.
    private struct Book: Codable {
        var members: Set<String> = []
        var answers: [String: ClubAnswer] = [:]
    }

    /// Opens the club's book, or begins one.
    public init(file: String) throws {
        self.file = URL(filePath: file)
        let isThere = FileManager.default.fileExists(atPath: file)
        book = isThere ? try JSONDecoder().decode(Book.self, from: Data(contentsOf: self.file)) : Book()
    }

    /// How many members there are.
    public var memberCount: Int { book.members.count }

    /// One membership for each address; students only from schools that the club works with.
    private func decide(email: String, school: String?) -> ClubAnswer {
        if book.members.contains(EmailAddress.key(email)) { return .addressTaken }
        guard let school, !["Lund", "Uppsala"].contains(school) else { return .welcome }
        return .schoolNotOurs
    }

    public func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply {
        if let known = book.answers[request.key.text] { return known.reply }
        guard let fields = SubmissionBody.fields(of: request.body), let email = fields["email"] else {
            return NetworkReply(status: 400, body: [])
        }
        let answer = decide(email: email, school: fields["school"])
        try write { book in
            book.answers[request.key.text] = answer
            if answer == .welcome { book.members.insert(EmailAddress.key(email)) }
        }
        return answer.reply
    }

    public func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        book.answers[key.text]?.reply ?? .unknownKey
    }

    public func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        if let known = book.answers[key.text] { return known.reply }
        try write { $0.answers[key.text] = .takenBack }
        return ClubAnswer.takenBack.reply
    }

    /// Effect and answer are one write, before anybody is answered: what was said must not be forgotten.
    private func write(_ change: (inout Book) -> Void) throws(NetworkFailure) {
        var changed = book
        change(&changed)
        do {
            try JSONEncoder().encode(changed).write(to: file, options: .atomic)
        } catch {
            throw .unreachable("the club cannot write its book: \(error)")
        }
        book = changed
    }
}
