import FoyerModel
import Testing

@testable import FoyerMockNetwork

/// How long the server takes tells nobody who has an account. One test at a time: they measure.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TimingTests {
    /// The medians of two kinds of requests, sent in turns, so that whatever else the machine does slows both down.
    private func medians(of count: Int, _ ask: (_ second: Bool, _ round: Int) async throws -> Void) async throws
        -> (first: Duration, second: Duration)
    {
        var times: [Bool: [Duration]] = [:]
        for round in 0..<count {
            // Neither kind is always the one that comes after the other.
            for isSecond in round.isMultiple(of: 2) ? [false, true] : [true, false] {
                let start = ContinuousClock.now
                try await ask(isSecond, round)
                times[isSecond, default: []].append(ContinuousClock.now - start)
            }
        }
        let sorted = times.mapValues { $0.sorted() }
        return (sorted[false]?[count / 2] ?? .zero, sorted[true]?[count / 2] ?? .zero)
    }

    /// Measures until the medians lie within 5 %, at most eight times: a busy machine blurs one measurement, while a
    /// difference that the server makes is there each time.
    private func expectEqualTimes(
        _ name: String, _ ask: (_ second: Bool, _ round: Int) async throws -> Void
    ) async throws {
        var ratios: [Double] = []
        repeat {
            let (first, second) = try await medians(of: 100, ask)
            ratios.append(second / first)
            print("\(name): medians \(first) and \(second)")
        } while !(0.95...1.05).contains(ratios.last ?? 0) && ratios.count < 8
        #expect((0.95...1.05).contains(ratios.last ?? 0), "\(name): \(ratios)")
    }

    @Test("An unknown name takes as long as a wrong password")
    func signIn() async throws {
        let server = try Server()
        let network = MockNetwork(path: server.path, hashing: PasswordHashing(operations: 1, memory: 16 << 20))
        _ = try await network.submit(Form().request())
        try await expectEqualTimes("wrong password, unknown name") { isSecond, round in
            let name = isSecond ? "nobody\(round)" : "ada.l"
            _ = try await network.submit(Form.login(name, "not the password"))
        }
        await network.close()
    }

    @Test("Asking for a new password takes as long for an address that nobody has")
    func reset() async throws {
        let server = try Server()
        try await server.send(Form().request())
        try await expectEqualTimes("known address, unknown address") { isSecond, _ in
            let email = isSecond ? "eve@example.org" : "ada@example.org"
            try await server.send(
                Form(email: email, userName: nil, password: nil, first: nil, last: nil).request(.reset))
        }
    }
}
