package import FoyerModel

/// What an answer of the network, or the lack of one, means for the submission.
package enum ReplyClass: Equatable {
    /// The network has decided.
    case verdict(Verdict)
    /// The network has never seen the submission.
    case neverSeen
    /// The network does not know any more whether it has seen the submission, and takes it no more.
    case tooOld
    /// It certainly did not reach the network.
    case unsent(reason: String)
    /// It may have reached the network; the failure speaks against this submission.
    case maybeSent(reason: String)
    /// It may have reached the network, or whoever answers in its place with what the contract does not know.
    case outOfContract(reason: String)
    /// The network has it and is still at work.
    case wait(after: Duration?, reason: String)
    /// The network itself is in trouble, or wants to be left alone.
    case unavailable(after: Duration?, reason: String)
    /// Another try would end the same way.
    case parked(reason: String)

    /// Whether the answer is none that this program and the network have agreed on.
    var breaksContract: Bool {
        switch self {
        case .outOfContract, .parked: true
        default: false
        }
    }

    /// The word for it in the table of the documentation.
    var name: String {
        switch self {
        case .verdict(let verdict): verdict.ending.rawValue
        case .neverSeen: "never seen"
        case .tooOld: "too old"
        case .unsent: "unsent"
        case .maybeSent, .outOfContract: "maybe sent"
        case .wait: "wait"
        case .unavailable: "unavailable"
        case .parked: "park"
        }
    }
}
