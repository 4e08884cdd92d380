import Foundation
import FoyerModel
import TestSupport
import Testing

@testable import FoyerMockNetwork

/// `Documentation/openapi.json` against what the client sends, and what the server answers.
@Suite struct WireDocumentTests {
    @Test("What the client sends is what the document describes", arguments: FlowKind.allCases)
    func requests(kind: FlowKind) async throws {
        let document = try WireDocument()
        let key = try await Server().sealingKey()
        let content = SealedContent(
            audience: SealingKeyPair.audience, flowID: newKey(), field: "password",
            issuedAt: FoyerEnvironment.system.now(), secret: Secret("four unrelated words"))
        for request in [Form().request(kind), Form().request(kind, sealed: content, to: key)] {
            #expect(try document.problems(of: request) == [])
        }
    }

    @Test("The check sees what is wrong with a request")
    func control() throws {
        let document = try WireDocument()
        let secretless = Form(password: nil).request()
        #expect(try document.problems(of: secretless) == ["secrets is missing"])
        let bodies = [
            #"{"schema":2,"fields":{"user_name":"ada"},"secrets":{"password":{"mode":"plain","text":"x"}}}"#,
            #"{"schema":1,"fields":{"user_name":""},"secrets":{"password":{"mode":"plain","text":"x"}}}"#,
            #"{"schema":1,"fields":{"user_name":"ada","x":1},"secrets":{"password":{"mode":"plain","text":"x"}}}"#,
            #"{"schema":1,"fields":{"user_name":"ada"},"secrets":{"password":{"mode":"server","text":"x"}}}"#,
            #"{"schema":1,"fields":[],"secrets":{"password":{"mode":"plain","text":"x"}}}"#,
        ]
        for body in bodies {
            let request = SubmissionRequest(key: newKey(), kind: .login, body: Secret(body))
            #expect(try document.problems(of: request).count == 1, "\(body)")
        }
        let key = try #require(UUIDv7("01a1ffc8-1cb8-4311-b180-bfa5c90cc8b4"))
        #expect(try document.problems(of: Form().request(key: key)).count == 1)
    }

    @Test("Each answer of the server is one that the document describes")
    func answers() async throws {
        let document = try WireDocument(), site = try await Site()
        let accepted = Form().request(), taken = Form().request(), refused = Form(email: "x").request()
        for request in [accepted, accepted, taken, refused, Form(password: "wrong one").request(.login)] {
            let answer = try await site.answer(request)
            let path = "/v1/submissions/\(request.kind.rawValue)"
            #expect(try document.problems(of: answer, to: "post", path) == [], "\(answer)")
        }
        for (method, key) in [("GET", accepted.key), ("GET", newKey()), ("DELETE", newKey()), ("DELETE", taken.key)] {
            let answer = try await site.answer(method, "/v1/submissions/\(key)")
            #expect(try document.problems(of: answer, to: method.lowercased(), "/v1/submissions/{key}") == [])
        }
        let key = try await site.answer("GET", "/v1/sealing-key")
        #expect(try document.problems(of: key, to: "get", "/v1/sealing-key") == [])
        await site.server.stop()
    }
}

/// The document, with as much of JSON Schema as it uses.
private struct WireDocument {
    private typealias Object = [String: Any]
    private let root: Object

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/openapi.json")
        root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    func problems(of request: SubmissionRequest) throws -> [String] {
        let post = at("paths", "/v1/submissions/\(request.kind.rawValue)", "post")
        let schema = at(post, "requestBody", "content", "application/json", "schema")
        let body = try request.body.withBytes { try JSONSerialization.jsonObject(with: Data($0)) }
        let header = (post["parameters"] as? [Object])?.first { $0["name"] as? String == "Idempotency-Key" } ?? [:]
        guard !schema.isEmpty, !header.isEmpty else { return ["the document has no such operation"] }
        return check(body, schema, "") + check("\"\(request.key)\"", at(header, "schema"), "Idempotency-Key")
    }

    func problems(of answer: RawAnswer, to method: String, _ path: String) throws -> [String] {
        let response = resolve(at("paths", path, method, "responses", "\(answer.status)"))
        let schema = at(response, "content", answer.headers["content-type"] ?? "", "schema")
        guard !schema.isEmpty else { return ["the document has no such answer"] }
        return check(try JSONSerialization.jsonObject(with: Data(answer.body)), schema, "")
    }

    private func at(_ path: String...) -> Object { path.reduce(root) { $0[$1] as? Object ?? [:] } }

    private func at(_ object: Object, _ path: String...) -> Object {
        path.reduce(object) { $0[$1] as? Object ?? [:] }
    }

    private func resolve(_ object: Object) -> Object {
        guard let reference = object["$ref"] as? String else { return object }
        return reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] as? Object ?? [:] }
    }

    private func check(_ value: Any, _ schema: Object, _ place: String) -> [String] {
        let schema = resolve(schema)
        if let choices = schema["oneOf"] as? [Object] {
            let fitting = choices.count { check(value, $0, place).isEmpty }
            return fitting == 1 ? [] : ["\(place) fits \(fitting) of its forms"]
        }
        if let constant = schema["const"] as? NSObject, !constant.isEqual(value) {
            return ["\(place) is not \(constant)"]
        }
        switch schema["type"] as? String {
        case "object": return checkObject(value, schema, place)
        case "array":
            guard let items = value as? [Any] else { return ["\(place) is no array"] }
            return items.flatMap { check($0, schema["items"] as? Object ?? [:], "\(place).item") }
        case "integer": return value is Int ? [] : ["\(place) is no whole number"]
        case "string": return checkText(value, schema, place)
        default: return schema["const"] == nil ? ["\(place) has no type"] : []
        }
    }

    private func checkObject(_ value: Any, _ schema: Object, _ place: String) -> [String] {
        guard let members = value as? Object else { return ["\(place) is no object"] }
        let known = schema["properties"] as? Object ?? [:]
        let missing = (schema["required"] as? [String] ?? []).filter { members[$0] == nil }
        return missing.map { "\(place)\($0) is missing" }
            + members.flatMap { name, member -> [String] in
                guard let schema = (known[name] ?? schema["additionalProperties"]) as? Object else { return [] }
                return check(member, schema, "\(place)\(name)")
            }
    }

    private func checkText(_ value: Any, _ schema: Object, _ place: String) -> [String] {
        guard let text = value as? String else { return ["\(place) is no text"] }
        if let minimum = schema["minLength"] as? Int, text.unicodeScalars.count < minimum {
            return ["\(place) is short"]
        }
        if let maximum = schema["maxLength"] as? Int, text.unicodeScalars.count > maximum {
            return ["\(place) is long"]
        }
        guard let pattern = schema["pattern"] as? String else { return [] }
        return text.range(of: pattern, options: .regularExpression) == nil ? ["\(place) has another form"] : []
    }
}
