import Foyer

/// What the club says to somebody who wants to become a member, or has taken that back.
enum ClubAnswer: String, Codable {
    case welcome, addressTaken, schoolNotOurs, takenBack

    /// The same in the words that Foyer's sync understands.
    var reply: NetworkReply {
        switch self {
        case .welcome: .accepted()
        case .addressTaken: .refused(["email": "taken"])
        case .schoolNotOurs: .refused(["school": "not_ours"])
        case .takenBack: .cancelled
        }
    }
}
