import Foundation
import Foyer

/// The answers of a membership form as they come over the wire: `{"fields":{…},"schema":1}`.
struct ClubForm {
    let email: String
    let school: String?

    /// Nil where it is no form that somebody could become a member with.
    init?(_ body: Secret) {
        struct Submission: Decodable { let fields: [String: String] }
        let data = body.withBytes { Data($0) }
        guard let fields = try? JSONDecoder().decode(Submission.self, from: data).fields, let email = fields["email"]
        else { return nil }
        self.email = email
        self.school = fields["school"]
    }
}

/// What the club says, in the words that Foyer's sync understands (Documentation/wire.md).
struct ClubAnswer: Codable, Equatable {
    let status: Int
    let body: String

    static let welcome = ClubAnswer(status: 201, body: #"{"schema":1,"verdict":"accepted"}"#)
    static let takenBack = ClubAnswer(status: 200, body: #"{"schema":1,"verdict":"cancelled"}"#)
    static let malformed = problem(400, "malformed")
    static let unknownKey = problem(404, "unknown-key")

    /// Opens the form again at the step whose field has that name.
    static func refusal(of field: String, because code: String) -> ClubAnswer {
        let error = #"{"field":"\#(field)","code":"\#(code)","message":""}"#
        return ClubAnswer(status: 422, body: #"{"type":"/problems/refused","errors":[\#(error)]}"#)
    }

    private static func problem(_ status: Int, _ type: String) -> ClubAnswer {
        ClubAnswer(status: status, body: #"{"type":"/problems/\#(type)"}"#)
    }

    func reply(isReplay: Bool = false) -> NetworkReply {
        NetworkReply(status: status, body: Array(body.utf8), contentType: "application/json", isReplay: isReplay)
    }
}
