import FoyerModel
import Testing

@Suite struct SecretBytesTests {
    private func text(_ bytes: borrowing SecretBytes) -> String {
        bytes.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Bytes come out as they went in, however far the memory has to grow")
    func growing() {
        var bytes = SecretBytes(capacity: 0), wanted: [UInt8] = []
        for round in 0..<300 {
            let more = (0..<round).map { UInt8(truncatingIfNeeded: $0 &* round) }
            bytes.append(more)
            bytes.append(UInt8(truncatingIfNeeded: round))
            bytes.append(more.lazy.filter { $0.isMultiple(of: 7) })
            wanted += more + [UInt8(truncatingIfNeeded: round)] + more.filter { $0.isMultiple(of: 7) }
        }
        #expect(bytes.withBytes { Array($0) } == wanted && bytes.count == wanted.count)
    }

    @Test("What is taken away at the front is gone, and the rest is where it was")
    func removing() {
        var bytes = SecretBytes()
        bytes.append("one two".utf8)
        bytes.removeFirst(4)
        #expect(text(bytes) == "two")
        bytes.removeLast()
        #expect(text(bytes) == "tw")
        bytes.removeFirst(9)
        bytes.removeLast()
        #expect(bytes.count == 0 && text(bytes) == "")
        bytes.append("three".utf8)
        #expect(text(bytes) == "three")
    }

    @Test("What C writes into it counts as far as C says", arguments: [(-1, ""), (0, ""), (2, "ab"), (9, "abc")])
    func filling(count: Int, wanted: String) {
        let bytes = SecretBytes(zeros: 3) { memory in
            _ = memory.update(from: "abc".utf8)
            return count
        }
        #expect(text(bytes) == wanted)
    }

    @Test("A secret can be read by several at once, and within a reading, and again afterwards")
    func readers() async {
        let secret = Secret("four unrelated words")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<500).allSatisfy { _ in
                        secret.withBytes { bytes in secret.isText("four unrelated words") && bytes.count == 20 }
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(secret.isText("four unrelated words") && !secret.isText("four") && !secret.isEmpty)
    }

    #if os(Linux)
    @Test("Reading the bytes of a secret while nobody lends them ends the program")
    func guarded() async {
        await #expect(processExitsWith: .failure) {
            let secret = Secret("four unrelated words")
            let address = secret.withBytes { UInt(bitPattern: $0.baseAddress) }
            let strayed = UnsafePointer<UInt8>(bitPattern: address)
            print(strayed?.pointee ?? 0)
        }
    }

    @Test("Reading one byte too far in front of it or behind it ends the program", arguments: [-16_384, 64])
    func fenced(offset: Int) async {
        await #expect(processExitsWith: .failure) { [offset] in
            Secret("four unrelated words").withBytes { bytes in
                print(bytes.baseAddress?.advanced(by: offset).pointee ?? 0)
            }
        }
    }
    #endif
}
