import FoyerCSodium
import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

/// The key pair of a server.
private struct ServerKeys {
    let key: SealingKey
    private let secretKey: [UInt8]

    init() throws {
        var publicKey = [UInt8](repeating: 0, count: crypto_box_publickeybytes())
        var secretKey = [UInt8](repeating: 0, count: crypto_box_secretkeybytes())
        guard sodium_init() >= 0, crypto_box_keypair(&publicKey, &secretKey) == 0 else { throw Failure("no key pair") }
        self.secretKey = secretKey
        key = try sealingKey(publicKey)
    }

    func open(_ box: [UInt8]) throws -> [UInt8] {
        var plain = [UInt8](repeating: 0, count: max(0, box.count - crypto_box_sealbytes()))
        guard crypto_box_seal_open(&plain, box, UInt64(box.count), key.publicKey, secretKey) == 0 else {
            throw Failure("the box does not open")
        }
        return plain
    }
}

private func sealingKey(_ bytes: [UInt8]) throws -> SealingKey {
    var text = [CChar](repeating: 0, count: 64)
    sodium_bin2base64(&text, text.count, bytes, bytes.count, sodium_base64_VARIANT_ORIGINAL)
    let base64 = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let json = #"{"algorithm":"crypto_box_seal","aud":"a server","key_id":"k7","public_key":"\#(base64)","schema":1}"#
    guard let key = SealingKey(json: Array(json.utf8)) else { throw Failure("no sealing key: \(json)") }
    return key
}

@Suite struct ServerBoxTests {
    @Test("A password that was entered with a sealing key can be opened by the server alone, byte for byte as agreed")
    func sealed() async throws {
        let server = try ServerKeys()
        let scene = try await Scene(sealingKey: server.key)
        let flow = try await scene.submitted()
        let claimed = try #require(try await scene.claim(try scene.store.makeWorker()).first)

        // Whoever has the file and the device's key, also without the sealing key, finds the box.
        let secret = try #require(try await scene.another().secrets(of: claimed)["password"])
        #expect(secret.form == .sealed(keyID: "k7"))
        let parts = ["a server", flow.id.text, "password", scene.clock.now.description, Person.ada.password]
        var wanted: [UInt8] = [1]
        for part in parts { wanted += [0, 0, 0, UInt8(part.utf8.count)] + Array(part.utf8) }
        wanted += [0x80] + [UInt8](repeating: 0, count: 255 - wanted.count)
        #expect(try server.open(secret.withBytes { Array($0) }) == wanted)
        #expect(try await scene.files(containing: Person.ada.password) == [])
    }

    @Test("A box is bound to the field's name on the wire, whatever the step is called")
    func renamedStep() async throws {
        let server = try ServerKeys()
        let scene = try await Scene(sealingKey: server.key)
        let begun = try await scene.answered(2)
        var change = scene.change(begun, answers: [("secretWord", .secret(Secret("four unrelated words")))])
        change.secretSteps = ["secretWord": .init(wireName: "password", lifetime: .seconds(60))]
        let flow = try await scene.store.commit(change)
        let last = try await scene.store.commit(scene.change(flow, answers: Person.ada.answers[3...3]))
        _ = try await scene.store.commit(scene.finish(last))
        let claimed = try #require(try await scene.claim(try scene.store.makeWorker()).first)
        let secret = try #require(try await scene.store.secrets(of: claimed)["secretWord"])
        let plain = try server.open(secret.withBytes { Array($0) })
        #expect(String(decoding: plain, as: UTF8.self).contains("password"))
        #expect(!String(decoding: plain, as: UTF8.self).contains("secretWord"))
    }

    @Test("A box does not tell how long the password is, and is never the same twice")
    func length() throws {
        let server = try ServerKeys()
        func box(_ count: Int) throws -> [UInt8] {
            let secret = Secret(String(repeating: "x", count: count))
            return try ServerBox.seal(secret, to: server.key, flow: id(1), field: "password", at: TestClock.start)
                .withBytes { Array($0) }
        }
        #expect(try box(0).count == box(100).count && box(1) != box(1))
        for count in 0...600 { #expect(try server.open(box(count)).count.isMultiple(of: 256)) }
    }

    @Test("A key that is none seals nothing, and the answer is not taken")
    func weakKey() async throws {
        let scene = try await Scene(sealingKey: try sealingKey([UInt8](repeating: 0, count: 32)))
        await #expect {
            try await scene.answered(5)
        } throws: { error in
            (error as? StoreError)?.code == .failed && "\(error)".contains("k7")
        }
        #expect(try await scene.sql("SELECT (SELECT count(*) FROM secrets), count(*) FROM flow_steps") == "0|2")
    }

    @Test("A password that was entered before there was a sealing key is sent as it was meant to be")
    func earlier() async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        let store = try await scene.another(sealingKey: try ServerKeys().key)
        let secret = try #require(try await store.secrets(of: claimed)["password"])
        #expect(secret.form == .text && String(revealing: secret) == Person.ada.password)
    }

    @Test("A box cannot be passed off as a text, nor a text as a box", arguments: [1, 2, 3])
    func content(byte: UInt8) throws {
        let key = try [UInt8](repeating: 1, count: DeviceKey.size).withUnsafeBytes { try DeviceKey(copying: $0) }
        let secrets = [Secret("words"), Secret(box: [1, 0, 0x80, 0], sealedTo: "k7")]
        for secret in secrets {
            var box = SealedBox.seal(secret, under: key, at: SealedBoxTests.place)
            let opened = try SealedBox.open(box, with: key, at: SealedBoxTests.place)
            #expect(opened.form == secret.form && opened.withBytes { Array($0) } == secret.withBytes { Array($0) })
            guard box[1] != byte else { continue }
            box[1] = byte
            #expect { try SealedBox.open(box, with: key, at: SealedBoxTests.place) } throws: { error in
                (error as? StoreError)?.code == .tampered
            }
        }
    }
}
