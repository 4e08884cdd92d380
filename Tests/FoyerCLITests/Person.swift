import Foundation

/// Somebody who registers, with the answers in the order of the steps.
struct Person: Sendable {
    var email: String
    var userName: String
    var password = Person.password
    var firstName = "Ada"
    var lastName = "Lovelace"

    /// It looks different in every encoding that could carry it into a file.
    static let password = "Grün\"es/Quzzwort 7"
    /// A part of it that stands nowhere else.
    static let passwordPart = "Quzzwort"

    static let ada = Person(email: "Ada@Example.org", userName: "Ada.L")
    static let hedy = Person(email: "hedy@example.com", userName: "hedy", firstName: "Hedy", lastName: "Lamarr")
    static let grace = Person(email: "grace@example.net", userName: "grace", firstName: "Grace", lastName: "Hopper")

    var answers: [String] { [email, userName, password, firstName, lastName] }

    /// The labels of the steps, as the program asks them.
    static let labels = ["Email Address", "User Name", "Password", "First Name", "Last Name"]
    static let steps = ["email", "userName", "password", "firstName", "lastName"]

    /// How the question for the answer of that position begins.
    static func question(_ position: Int) -> String { "[\(position + 1)/5] \(labels[position])" }

    /// The password as a keyboard may send it that composes nothing.
    static let decomposedPassword = password.decomposedStringWithCanonicalMapping

    /// The password in all forms in which it could lie somewhere by mistake.
    static var passwordForms: [[UInt8]] {
        let bytes = Array(password.utf8)
        var forms: [[UInt8]] = [
            bytes, Array(passwordPart.utf8), Array(password.decomposedStringWithCanonicalMapping.utf8),
        ]
        forms.append(passwordPart.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
        forms.append(passwordPart.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
        forms.append(Array(passwordPart.utf8.map { String(format: "%02X", $0) }.joined().utf8))
        forms.append(Array(bytes.map { String(format: "%%%02X", $0) }.joined().utf8))
        forms.append(Array(passwordPart.utf8.map { String(format: "%02x", $0) }.joined().utf8))
        // A text inside a longer one has three forms in Base64: what does not depend on its neighbours is kept.
        for offset in 0..<3 {
            let text = Data(repeating: 0, count: offset) + Data(bytes)
            let encoded = Array(text.base64EncodedString().utf8)
            forms.append(Array(encoded[(offset == 0 ? 0 : 4)..<(encoded.count - 4)]))
        }
        return forms
    }
}
