import FoyerPlatform

/// The JSON body of a submission: `{"fields":{…},"schema":1,"secrets":{…}}`, identical bytes on every try.
public enum SubmissionBody {
    /// The finished body without its secrets, as the outbox stores it: keys sorted, no spaces.
    package static func stored(fields: [String: String]) -> String {
        let members = fields.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(quoted($0.value))" }
        return "{\"fields\":{\(members.joined(separator: ","))},\"schema\":1}"
    }

    /// The body as it is sent: the secrets spliced in before the last brace, as plain text unless they are sealed.
    ///
    /// With plain text, only for a network that is reached over TLS or inside this machine.
    package static func sent(_ stored: String, plainSecrets secrets: [String: Secret]) -> Secret {
        guard !secrets.isEmpty else { return Secret(stored) }
        var body = SecretBytes(capacity: stored.utf8.count + 1_024)
        body.append(stored.utf8.dropLast())
        body.append(#","secrets":{"#.utf8)
        for (position, secret) in secrets.sorted(by: { $0.key < $1.key }).enumerated() {
            if position > 0 { body.append(UInt8(ascii: ",")) }
            body.append("\(quoted(secret.key)):".utf8)
            append(secret.value, to: &body)
        }
        body.append("}}".utf8)
        return Secret(body)
    }

    /// The readable fields of a body as it is sent, by their names on the wire; nil where it is none.
    ///
    /// For a network of an app's own; no copy of a secret is made.
    public static func fields(of body: Secret) -> [String: String]? {
        body.withBytes { bytes in
            guard let json = SecretJSON(bytes),
                let skeleton = try? JSONDecoder().decode(Skeleton.self, from: Data(json.skeleton))
            else { return nil }
            var fields: [String: String] = [:]
            for (name, number) in skeleton.fields { fields[name] = json.text(number) }
            return fields
        }
    }

    /// The body with numbers in the place of its strings.
    private struct Skeleton: Decodable {
        let fields: [String: String]
    }

    private static func append(_ secret: Secret, to body: inout SecretBytes) {
        switch secret.form {
        case .text:
            body.append(#"{"mode":"plain","text":"#.utf8)
            secret.withBytes { bytes in quote(bytes) { body.append($0) } }
            body.append(UInt8(ascii: "}"))
        case .sealed(let keyID):
            let box = secret.withBytes { Data($0).base64EncodedString() }
            body.append(#"{"box":"\#(box)","key_id":\#(quoted(keyID)),"mode":"server"}"#.utf8)
        }
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        quote(text.utf8) { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes UTF-8 bytes as a JSON string (RFC 8259, section 7).
    private static func quote(_ bytes: some Sequence<UInt8>, write: (UInt8) -> Void) {
        write(UInt8(ascii: "\""))
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                write(UInt8(ascii: "\\"))
                write(byte)
            case 0..<0x20: "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8.forEach(write)
            default: write(byte)
            }
        }
        write(UInt8(ascii: "\""))
    }
}
