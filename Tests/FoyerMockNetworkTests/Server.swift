import FoyerMockNetwork
import FoyerModel
import Foundation
import TestSupport
import Testing

/// A mock network with a file in a folder of its own.
struct Server: Sendable {
    let folder: TemporaryFolder
    let network: MockNetwork

    init() throws {
        folder = try TemporaryFolder()
        network = MockNetwork(path: folder.appending("mock"))
    }

    var path: String { folder.appending("mock") }

    /// The same server, as a later start of the program or another process finds it.
    func another() -> MockNetwork { MockNetwork(path: path) }

    /// The first column of what the sqlite3 shell answers.
    func sql(_ sql: String) async throws -> String {
        let finished = try await Program("sqlite3", ["-batch", "-cmd", ".timeout 5000", path, sql]).run()
        guard finished.exit == .code(0) else { throw Failure(finished.stderr) }
        return finished.stdout.trimmingCharacters(in: .newlines)
    }

    func accounts() async throws -> String { try await sql("SELECT count(*) FROM accounts") }

    @discardableResult
    func send(_ request: SubmissionRequest) async throws -> Answer { Answer(try await network.submit(request)) }
}

/// What a person fills in.
struct Form: Sendable {
    var email: String? = "ada@example.org"
    var userName: String? = "ada.l"
    var password: String? = "four unrelated words"
    var first: String? = "Ada"
    var last: String? = "Lovelace"

    func request(_ kind: FlowKind = .register, key: UUIDv7 = newKey()) -> SubmissionRequest {
        let fields = ["email_field": email, "user_name": userName, "first_name": first, "last_name": last]
        let secrets = password.map { ["password": Secret($0)] } ?? [:]
        let stored = SubmissionBody.stored(fields: fields.compactMapValues { $0 })
        return SubmissionRequest(
            key: key, kind: kind, body: SubmissionBody.sent(stored, plainSecrets: secrets))
    }

    static func login(_ userName: String?, _ password: String?) -> SubmissionRequest {
        Form(email: nil, userName: userName, password: password, first: nil, last: nil).request(.login)
    }
}

func newKey() -> UUIDv7 { FoyerEnvironment.system.makeID() }

extension Form {
    enum Field: Sendable {
        case email, userName, password, first, last
    }

    /// The usual form with another text in one field.
    init(_ field: Field, _ text: String?) {
        self.init()
        switch field {
        case .email: email = text
        case .userName: userName = text
        case .password: password = text
        case .first: first = text
        case .last: last = text
        }
    }
}

/// An answer, read.
struct Answer: Sendable, CustomStringConvertible {
    struct Body: Decodable, Sendable {
        struct User: Decodable, Sendable { let id: String }
        struct FieldError: Decodable, Sendable {
            let field: String
            let code: String
            let message: String
        }
        let schema: Int?
        let verdict: String?
        let user: User?
        let type: String?
        let status: Int?
        let errors: [FieldError]?
    }

    let status: Int
    let text: String
    let isReplay: Bool
    let body: Body?

    init(_ reply: NetworkReply) {
        status = reply.status
        text = String(decoding: reply.body, as: UTF8.self)
        isReplay = reply.isReplay
        body = try? JSONDecoder().decode(Body.self, from: Data(reply.body))
    }

    /// `field code` of each refused field.
    var errors: [String] { body?.errors?.map { "\($0.field) \($0.code)" } ?? [] }
    var description: String { "\(status) \(text)" }
}
