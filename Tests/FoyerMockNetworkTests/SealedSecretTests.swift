import FoyerModel
import TestSupport
import Testing

@testable import FoyerMockNetwork

/// Passwords that come in a box which only the server can open.
@Suite struct SealedSecretTests {
    private let flow = newKey()
    private let now = FoyerEnvironment.system.now()

    private func content(
        audience: String = "foyer-mock-network", field: String = "password", age: Duration = .zero,
        password: String = "four unrelated words"
    ) -> SealedContent {
        SealedContent(
            audience: audience, flowID: flow, field: field, issuedAt: now + (.zero - age), secret: Secret(password))
    }

    private func form(_ email: String = "ada@example.org", _ userName: String = "ada.l") -> Form {
        Form(email: email, userName: userName, password: nil)
    }

    @Test("The bytes in a box are what its page says, byte for byte")
    func bytes() throws {
        let flow = try #require(UUIDv7("01a1ffc8-1cb8-7311-b180-bfa5c90cc8b4"))
        let moment = try #require(Timestamp("2026-11-21T06:54:02.123Z"))
        let content = SealedContent(
            audience: "aud", flowID: flow, field: "password", issuedAt: moment, secret: Secret("pä"))
        let parts: [[UInt8]] = [
            [1], [0, 0, 0, 3], Array("aud".utf8), [0, 0, 0, 36], Array("01a1ffc8-1cb8-7311-b180-bfa5c90cc8b4".utf8),
            [0, 0, 0, 8], Array("password".utf8), [0, 0, 0, 24], Array("2026-11-21T06:54:02.123Z".utf8), [0, 0, 0, 3],
            [0x70, 0xC3, 0xA4], [0x80],
        ]
        let wanted = parts.flatMap { $0 }
        let plain = content.plain.withBytes { Array($0) }
        #expect(plain == wanted + [UInt8](repeating: 0, count: 256 - wanted.count))
        let read = try #require(SealedContent(plain: content.plain))
        #expect(read.audience == "aud" && read.flowID == flow && read.field == "password" && read.issuedAt == moment)
        #expect(String(revealing: read.secret) == "pä")
    }

    @Test("Every length of a secret comes back, and boxes differ in steps of 256 bytes only")
    func padding() throws {
        for count in 0..<600 {
            let text = String(repeating: "x", count: count)
            let plain = content(password: text).plain
            #expect(plain.withBytes { $0.count.isMultiple(of: 256) })
            #expect(SealedContent(plain: plain)?.secret.isText(text) == true)
        }
    }

    @Test("Bytes of another form are no content, however they are broken")
    func broken() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed), refused = 0
        let whole = content().plain.withBytes { Array($0) }
        for _ in 0..<5000 {
            var bytes = whole
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
            if SealedContent(plain: Secret(utf8: bytes)) == nil { refused += 1 }
        }
        #expect(refused > 2500, "seed \(seed)")
        let others: [[UInt8]] = [[], [1], [1] + [UInt8](repeating: 0xFF, count: 255), [2] + Array(whole.dropFirst())]
        for bytes in others {
            #expect(SealedContent(plain: Secret(utf8: bytes)) == nil)
        }
    }

    @Test("Who registered with a sealed password signs in with the same one, sealed or not")
    func register() async throws {
        let server = try Server(), key = try await server.sealingKey()
        #expect(try await server.send(form().request(sealed: content(), to: key)).status == 201)
        #expect(try await server.send(Form.login("ada.l", "four unrelated words")).status == 201)
        let signIn = SealedContent(
            audience: SealingKeyPair.audience, flowID: newKey(), field: "password", issuedAt: now,
            secret: Secret("four unrelated words"))
        let login = Form(email: nil, userName: "ada.l", password: nil, first: nil, last: nil)
        #expect(try await server.send(login.request(.login, sealed: signIn, to: key)).status == 201)
        #expect(try server.folder.occurrences(of: Array("four unrelated words".utf8)) == [])
    }

    @Test("A box for another place, another time or another key is refused at its field, with a code")
    func bound() async throws {
        let server = try Server(), key = try await server.sealingKey()
        let other = try await Server().sealingKey()
        let good = key.seal(content())
        var cases: [(keyID: String, box: String, code: String)] = [
            (key.id, key.seal(content(audience: "foyer")), "box_misbound"),
            (key.id, key.seal(content(field: "answer")), "box_misbound"),
            (key.id, key.seal(content(age: .seconds(32 * 86400))), "box_expired"),
            (key.id, key.seal(content(age: .seconds(-2 * 86400))), "box_expired"),
            (other.id, other.seal(content()), "key_unknown"), (other.id, good, "key_unknown"),
            (key.id, other.seal(content()), "box_unreadable"), (key.id, "", "box_unreadable"),
            (key.id, good + "AAAA", "box_unreadable"), (key.id, String(good.dropLast(4)), "box_unreadable"),
            (key.id, good + " ", "box_unreadable"), (key.id, key.seal(plain: Secret("x")), "box_unreadable"),
        ]
        cases.append((key.id, (good.hasPrefix("A") ? "B" : "A") + good.dropFirst(), "box_unreadable"))
        for (keyID, box, code) in cases {
            for kind in [FlowKind.register, .login] {
                let answer = try await server.send(form().request(kind, keyID: keyID, box: box))
                #expect(answer.status == 422 && answer.errors == ["password \(code)"], "\(code)")
            }
        }
        #expect(try await server.accounts() == "0")
        // A box that is thirty days old is still good: it may have waited in a queue.
        let old = content(age: .seconds(30 * 86400))
        #expect(try await server.send(form().request(sealed: old, to: key)).status == 201)
    }

    @Test("A box can come again after a refusal, but opens nothing once its flow was accepted")
    func used() async throws {
        let server = try Server(), key = try await server.sealingKey()
        try await server.send(Form(email: "eve@example.org").request())
        let box = key.seal(content())
        #expect(try await server.send(form().request(keyID: key.id, box: box)).status == 409)
        let accepted = form("ada@example.org", "ada.b").request(keyID: key.id, box: box)
        #expect(try await server.send(accepted).status == 201)
        #expect(try await server.send(accepted).isReplay)
        let thief = Form(email: nil, userName: "ada.b", password: nil, first: nil, last: nil)
        let answer = try await server.send(thief.request(.login, keyID: key.id, box: box))
        #expect(answer.status == 422 && answer.errors == ["password box_used"])
    }

    @Test("The key is published as it is kept, over restarts, in a file for its owner alone")
    func published() async throws {
        let site = try await Site()
        let first = try await site.answer("GET", "/v1/sealing-key")
        await site.server.stop()
        let again = try await Site(state: site.state)
        #expect(try await again.answer("GET", "/v1/sealing-key").text == first.text)
        let key = try await site.state.sealingKey()
        #expect(first.text.contains("\"key_id\":\"\(key.id)\"") && first.text.contains(Base64.text(key.publicKey)))
        #expect(try await Program("stat", ["-c", "%a", site.state.path]).run().stdout == "600\n")
        await again.server.stop()
    }
}
