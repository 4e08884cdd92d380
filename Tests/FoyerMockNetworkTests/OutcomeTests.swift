import FoyerMockNetwork
import FoyerModel
import Testing

@Suite struct OutcomeTests {
    @Test("What became of a submission can be asked without sending it again")
    func outcome() async throws {
        let server = try Server()
        let key = newKey()
        #expect(try await server.network.outcome(of: key).status == 404)
        let answer = try await server.send(Form().request(key: key))
        let outcome = Answer(try await server.another().outcome(of: key))
        #expect(outcome.isReplay && outcome.status == 201 && outcome.text == answer.text)
    }

    @Test("A submission that was taken back before it came is refused when it comes, and makes no account")
    func cancelled() async throws {
        let server = try Server()
        let key = newKey()
        for _ in 1...2 {
            let answer = Answer(try await server.network.cancel(key))
            #expect(answer.status == 200 && answer.body?.verdict == "cancelled")
        }
        let late = try await server.send(Form().request(key: key))
        #expect(late.status == 409 && late.body?.type == "/problems/cancelled" && late.errors.isEmpty)
        #expect(try await server.accounts() == "0")
    }

    @Test("What was decided already cannot be taken back; the decision is told again")
    func tooLate() async throws {
        let server = try Server()
        let key = newKey()
        let answer = try await server.send(Form().request(key: key))
        let cancel = Answer(try await server.network.cancel(key))
        #expect(cancel.isReplay && cancel.status == 201 && cancel.text == answer.text)
        #expect(try await server.accounts() == "1")
    }
}
