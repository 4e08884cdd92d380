import FoyerCSodium
import FoyerModel
import FoyerSQLite

@testable import FoyerMockNetwork

/// The client's half of a sealed secret.
extension SealingKeyPair {
    func seal(_ content: SealedContent) -> String { seal(plain: content.plain) }

    func seal(plain: Secret) -> String {
        plain.withBytes { bytes in
            var box = [UInt8](repeating: 0, count: bytes.count + crypto_box_sealbytes())
            crypto_box_seal(&box, bytes.baseAddress, UInt64(bytes.count), publicKey)
            return Base64.text(box)
        }
    }
}

extension Server {
    func sealingKey() async throws -> SealingKeyPair {
        let server = try await AccountServer.open(at: path, hashing: .minimum, environment: .system, forgets: false)
        try await server.database.close()
        return server.sealingKey
    }
}

extension Form {
    func request(_ kind: FlowKind = .register, sealed: SealedContent, to key: SealingKeyPair) -> SubmissionRequest {
        request(kind, keyID: key.id, box: key.seal(sealed))
    }

    func request(_ kind: FlowKind = .register, keyID: String, box: String) -> SubmissionRequest {
        let fields = ["email_field": email, "user_name": userName, "first_name": first, "last_name": last]
        let stored = SubmissionBody.stored(fields: fields.compactMapValues { $0 })
        let secrets = #","secrets":{"password":{"box":"\#(box)","key_id":"\#(keyID)","mode":"server"}}}"#
        return SubmissionRequest(key: newKey(), kind: kind, body: Secret(stored.dropLast() + secrets))
    }
}
