import FoyerCSodium
import FoyerModel

/// A secret of a submission after its box was opened; or what is wrong with the box.
enum SubmittedSecret: Sendable {
    case missing
    case plain(Secret)
    /// It came in a box that was bound to this flow.
    case sealed(Secret, flow: UUIDv7)
    case refused(BoxProblem)

    var secret: Secret? {
        switch self {
        case .plain(let secret), .sealed(let secret, _): secret
        case .missing, .refused: nil
        }
    }

    var flow: UUIDv7? {
        if case .sealed(_, let flow) = self { flow } else { nil }
    }

    /// A secret may be this much older than its submission is, and its clock as far ahead.
    private static let slack = Duration.seconds(86400)

    init(_ secret: WireRequest.Secret?, field: String, key: SealingKeyPair, at now: Timestamp) {
        switch secret {
        case nil: self = .missing
        case .plain(let secret): self = .plain(secret)
        case .sealed(let keyID, let box):
            guard keyID == key.id else { self = .refused(.keyUnknown); return }
            guard let content = Base64.bytes(box).flatMap(key.open) else { self = .refused(.unreadable); return }
            guard content.audience == SealingKeyPair.audience, content.field == field else {
                self = .refused(.misbound)
                return
            }
            let age = now - content.issuedAt
            guard age <= AccountServer.retention + Self.slack, age >= .zero - Self.slack else {
                self = .refused(.expired)
                return
            }
            self = .sealed(content.secret, flow: content.flowID)
        }
    }
}

/// Why a box was refused; the code is part of the wire.
enum BoxProblem: String, Sendable {
    /// It is sealed to a key that the server does not have.
    case keyUnknown = "key_unknown"
    /// It does not open, or holds something else than the wire says.
    case unreadable = "box_unreadable"
    /// It is for another server or another field.
    case misbound = "box_misbound"
    /// It is too old, or comes from the future.
    case expired = "box_expired"
    /// Its flow was accepted already: a copied box shall open nothing.
    case used = "box_used"

    var message: String {
        switch self {
        case .keyUnknown: "The password was sealed for a key that the server does not have. Enter it again."
        case .unreadable: "The sealed password cannot be opened. Enter it again."
        case .misbound: "The password was sealed for another place. Enter it again."
        case .expired: "The password was sealed too long ago, or by a clock that is wrong. Enter it again."
        case .used: "This password was sealed for something that is finished. Enter it again."
        }
    }
}
