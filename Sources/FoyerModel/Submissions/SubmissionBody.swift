#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON body of a submission: `{"fields":{…},"schema":1,"secrets":{…}}`, identical bytes on every try.
public enum SubmissionBody {
    /// The finished body without its secrets, as the outbox stores it: keys sorted, no spaces.
    public static func stored(fields: [String: String]) -> String {
        let members = fields.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(quoted($0.value))" }
        return "{\"fields\":{\(members.joined(separator: ","))},\"schema\":1}"
    }

    /// The body as it is sent: the secrets spliced in before the last brace, as plain text unless they are sealed.
    ///
    /// With plain text, only for a network that is reached over TLS or inside this machine.
    public static func sent(_ stored: String, plainSecrets secrets: [String: Secret]) -> Secret {
        guard !secrets.isEmpty else { return Secret(stored) }
        var bytes = Array(stored.utf8.dropLast())
        bytes += Array(#","secrets":{"#.utf8)
        for (position, secret) in secrets.sorted(by: { $0.key < $1.key }).enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += Array("\(quoted(secret.key)):".utf8) + member(secret.value)
        }
        bytes += Array("}}".utf8)
        return Secret(utf8: bytes)
    }

    private static func member(_ secret: Secret) -> [UInt8] {
        switch secret.form {
        case .text: Array(#"{"mode":"plain","text":"#.utf8) + secret.withBytes { quoted($0) } + [UInt8(ascii: "}")]
        case .sealed(let keyID):
            Array(
                #"{"box":"\#(secret.withBytes { Data($0).base64EncodedString() })","key_id":\#(quoted(keyID)),"#.utf8)
                + Array(#""mode":"server"}"#.utf8)
        }
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: quoted(Array(text.utf8)), as: UTF8.self)
    }

    /// A JSON string (RFC 8259, section 7) of UTF-8 bytes.
    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8(ascii: "\"")]
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: result += Array("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: result.append(byte)
            }
        }
        return result + [UInt8(ascii: "\"")]
    }
}
