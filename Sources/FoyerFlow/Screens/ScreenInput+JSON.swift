import FoyerModel
import FoyerPlatform

extension ScreenInput {
    /// Reads an input as presenters in other languages write it, such as
    /// `{"screen":"register/email","revision":1,"action":"accept","values":{"email":"ada@example.org"}}`; nil where it
    /// is none. `values` may be missing; what else stands there is passed over.
    ///
    /// No text is made of the values, so that a password lies in guarded memory only; the caller has the bytes to wipe.
    public init?(json: UnsafeBufferPointer<UInt8>) {
        guard let read = SecretJSON(json),
            let line = try? JSONDecoder().decode(Line.self, from: Data(read.skeleton)),
            let screen = read.text(line.screen), let action = read.text(line.action)
        else { return nil }
        var values: [String: Secret] = [:]
        for (key, number) in line.values ?? [:] { values[key] = read.secret(number) }
        self.init(screen: screen, revision: line.revision, action: action, values: values)
    }

    /// The input with numbers in the place of its strings.
    private struct Line: Decodable {
        let screen: String
        let revision: Int
        let action: String
        let values: [String: String]?
    }
}
