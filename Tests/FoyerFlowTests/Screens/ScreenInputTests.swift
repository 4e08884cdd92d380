import FoyerModel
import Testing

@testable import FoyerFlow

@Suite struct ScreenInputTests {
    private func read(_ json: String) -> ScreenInput? {
        var json = json
        return json.withUTF8(ScreenInput.init(json:))
    }

    @Test("An input is read from JSON, with its values decoded and unknown keys ignored")
    func whatAPresenterWritesIsRead() throws {
        let input = try #require(
            read(
                #"{"screen":"register/email","revision":7,"action":"accept","values":{"email":"ada\u0040b.se"},"x":1}"#)
        )
        #expect(input.screen == "register/email" && input.revision == 7 && input.action == "accept")
        #expect(input.values.mapValues { $0.isText("ada@b.se") } == ["email": true])
        #expect(read(#"{"screen":"a","revision":1,"action":"back"}"#)?.values.isEmpty == true)
    }

    @Test(
        "What is no input is none",
        arguments: [
            "", "null", "[]", "{}", #"{"screen":"a","revision":"1","action":"b"}"#, #"{"screen":"a","revision":1}"#,
            #"{"screen":1,"revision":1,"action":"b"}"#, #"{"screen":"a","revision":1,"action":"b","values":{"c":1}}"#,
            #"{"screen":"a","revision":1,"action":"b"} x"#, #"{"screen":"a","screen":"b","revision":1,"action":"b"}"#,
        ])
    func malformed(json: String) {
        #expect(read(json) == nil)
    }
}
