import FoyerModel
import Testing

@testable import FoyerStore

@Suite struct SealedBoxTests {
    static let place = SealedBox.Place(
        store: "store", table: "secrets", column: "box", row: "flow/password", version: 1)

    private func key(_ byte: UInt8) throws -> DeviceKey {
        try [UInt8](repeating: byte, count: DeviceKey.size).withUnsafeBytes { try DeviceKey(copying: $0) }
    }

    /// What opening a box gives: its text, or the code of the error.
    private func opened(_ box: [UInt8], _ key: DeviceKey, at place: SealedBox.Place = place) async -> String {
        do throws(StoreError) {
            return String(revealing: try SealedBox.open(box, with: key, at: place))
        } catch {
            return error.code.rawValue
        }
    }

    @Test(
        "What is sealed opens as it was",
        arguments: ["", "a", "four unrelated words", "pässwörd 🔑", "\u{80}\u{0}", String(repeating: "x", count: 1024)])
    func roundTrip(text: String) async throws {
        let key = try key(1)
        #expect(await opened(SealedBox.seal(Secret(text), under: key, at: Self.place), key) == text)
    }

    @Test("Bytes that look like padding survive")
    func padding() throws {
        let key = try key(1)
        let bytes: [UInt8] = [0x80, 0, 0, 0x80, 0]
        let box = SealedBox.seal(Secret(utf8: bytes), under: key, at: Self.place)
        #expect(try SealedBox.open(box, with: key, at: Self.place).withBytes { Array($0) } == bytes)
    }

    @Test("A box does not tell how long the secret is", arguments: [(0, 255), (256, 511), (512, 767)])
    func length(shortest: Int, longest: Int) throws {
        let key = try key(1)
        let sizes = [shortest, shortest + 9, longest].map { count in
            SealedBox.seal(Secret(String(repeating: "x", count: count)), under: key, at: Self.place).count
        }
        #expect(Set(sizes).count == 1)
        #expect(sizes[0] % 256 == (2 + 8 + 24 + 16) % 256)
    }

    @Test("The same secret never gives the same box")
    func nonce() throws {
        let key = try key(1)
        let boxes = (0..<100).map { _ in SealedBox.seal(Secret("x"), under: key, at: Self.place) }
        #expect(Set(boxes).count == 100)
    }

    @Test(
        "A box opens in its own place only",
        arguments: [
            SealedBox.Place(store: "other", table: "secrets", column: "box", row: "flow/password", version: 1),
            SealedBox.Place(store: "store", table: "users", column: "box", row: "flow/password", version: 1),
            SealedBox.Place(store: "store", table: "secrets", column: "key_check", row: "flow/password", version: 1),
            SealedBox.Place(store: "store", table: "secrets", column: "box", row: "else/password", version: 1),
            SealedBox.Place(store: "store", table: "secrets", column: "box", row: "flow/userName", version: 1),
            SealedBox.Place(store: "store", table: "secrets", column: "box", row: "flow/password", version: 2),
            SealedBox.Place(store: "storesecrets", table: "", column: "box", row: "flow/password", version: 1),
        ])
    func otherPlace(place: SealedBox.Place) async throws {
        let key = try key(1)
        #expect(await opened(SealedBox.seal(Secret("x"), under: key, at: Self.place), key, at: place) == "tampered")
    }

    @Test("One changed bit anywhere, and a box does not open")
    func flippedBits() async throws {
        let key = try key(1)
        let box = SealedBox.seal(Secret("four unrelated words"), under: key, at: Self.place)
        for index in box.indices {
            for bit in 0..<8 {
                var changed = box
                changed[index] ^= 1 << bit
                // Bytes 2 to 9 name the key: another name is another key.
                let expected = (2..<10).contains(index) ? "wrong_key" : "tampered"
                #expect(await opened(changed, key) == expected, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test("A box that is cut or longer than it was does not open")
    func cut() async throws {
        let key = try key(1)
        let box = SealedBox.seal(Secret("x"), under: key, at: Self.place)
        for length in 0..<box.count {
            #expect(await opened(Array(box.prefix(length)), key) == "tampered")
        }
        #expect(await opened(box + [0], key) == "tampered")
        #expect(await opened(box + box, key) == "tampered")
    }

    @Test("Another key opens nothing, and the error says that it is another")
    func otherKey() async throws {
        let box = SealedBox.seal(Secret("x"), under: try key(1), at: Self.place)
        #expect(await opened(box, try key(2)) == "wrong_key")
    }

    @Test("A key's name tells nothing of the key, and is always the same")
    func name() throws {
        let names = try (UInt8(0)...9).map { try key($0).name }
        #expect(Set(names).count == 10)
        #expect(names.allSatisfy { $0.utf8.count == 16 })
        #expect(try key(3).name == names[3])
        #expect(!names.contains("0303030303030303"))
    }
}
