import FoyerModel
import Testing

@testable import FoyerSync

@Suite struct TransferEndTests {
    /// libcurl's codes, those that it has and some that it does not.
    private static let codes: [Int32] = Array(-1...140)

    private func ending(_ end: TransferEnd, mayHaveLeft: Bool) -> Ending {
        Ending(.failure(end.failure(mayHaveLeft: mayHaveLeft, server: "a.example")))
    }

    @Test("Before the request could leave, every code of libcurl is surely unsent", arguments: codes)
    func unsent(code: Int32) {
        let distrust: Set<Int32> = [58, 60, 77, 82, 83, 90, 91]
        let ending = ending(.error(code: code, certificate: 0), mayHaveLeft: false)
        #expect(ending == (distrust.contains(code) ? .untrusted : .unreachable))
    }

    @Test("Once the request could leave, no code of libcurl calls it unsent", arguments: codes)
    func maybeSent(code: Int32) {
        let nonsense: Set<Int32> = [1, 8, 18, 23, 61, 63, 100]
        let ending = ending(.error(code: code, certificate: 0), mayHaveLeft: true)
        #expect(ending == (nonsense.contains(code) ? .malformed : .interrupted))
    }

    @Test("Our own endings have their class too")
    func own() {
        let rows: [(TransferEnd, unsent: Ending, maybeSent: Ending)] = [
            (.notBegun("x"), .unreachable, .interrupted), (.cancelled, .unreachable, .interrupted),
            (.silence, .unreachable, .interrupted), (.unreadAnswer, .unreachable, .interrupted),
            (.tooLong, .unreachable, .malformed),
            (.ambiguous, .unreachable, .malformed), (.cutHead, .unreachable, .malformed),
        ]
        for (end, unsent, maybeSent) in rows {
            #expect(ending(end, mayHaveLeft: false) == unsent && ending(end, mayHaveLeft: true) == maybeSent)
        }
    }

    @Test("Every reason names the server and is one short line", arguments: codes)
    func words(code: Int32) {
        for certificate in [0, 9, 10, 18, 20, 62] {
            let end = TransferEnd.error(code: code, certificate: certificate)
            let text = "\(end.failure(mayHaveLeft: false, server: "a.example"))"
            #expect(text.contains(": a.example: ") && text.count < 140 && !text.contains("\n"))
        }
    }
}
