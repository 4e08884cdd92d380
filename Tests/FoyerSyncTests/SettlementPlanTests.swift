import FoyerModel
import Testing

@testable import FoyerSync

@Suite struct SettlementPlanTests {
    private static let plan = SettlementPlan(
        definitions: AccountType.allCases.reduce(into: [:]) { $0[$1] = FlowDefinition.standard(for: $1) })

    private func claimed(_ kind: SubmissionKind = .register, strikes: Int = 0) throws -> ClaimedSubmission {
        let id = try #require(UUIDv7("01900000-0000-7000-8000-000000000001"))
        return ClaimedSubmission(id: id, fence: 1, kind: kind, flowID: nil, body: "{}", strikes: strikes)
    }

    // MARK: Delays

    @Test(
        "the wait doubles with each failure, up to its cap",
        arguments: [
            (SubmissionKind.register, 0, 1000), (.register, 1, 2000), (.register, 5, 32000), (.register, 9, 512_000),
            (.register, 10, 900_000), (.register, 1000, 900_000), (.register, Int.max, 900_000), (.reset, 0, 1000),
            (.reset, 20, 900_000), (.login, 0, 500), (.login, 4, 8000), (.login, 5, 10000), (.login, 500, 10000),
        ])
    func doubling(kind: SubmissionKind, failures: Int, milliseconds: Int) {
        let full = Duration.milliseconds(milliseconds)
        func delay(_ jitter: Double) -> Duration {
            SettlementPlan.delay(failures: failures, kind: kind, retryAfter: nil, jitter: jitter)
        }
        #expect(delay(0) == full / 2)
        #expect(delay(0.5) == full * 3 / 4)
        #expect(delay(0.999) < full)
        #expect(delay(0.999) > full * 9 / 10)
    }

    @Test("nobody asks again before the network wants it, and not all at once", arguments: SubmissionKind.allCases)
    func retryAfter(kind: SubmissionKind) {
        func delay(_ failures: Int, _ jitter: Double) -> Duration {
            SettlementPlan.delay(failures: failures, kind: kind, retryAfter: .seconds(60), jitter: jitter)
        }
        #expect(delay(0, 0) == .seconds(60))
        #expect(delay(0, 0.5) == .seconds(63))
        #expect((0...20).allSatisfy { delay($0, 0.3) >= .seconds(60) })
        if kind != .login { #expect(delay(20, 0) == .seconds(450)) }
    }

    @Test("strikes of the submission and outages of the network add up")
    func failures() throws {
        let reply = ReplyClass.transient(reason: "r", isStrike: true, isUnsent: false, retryAfter: nil)
        let settlement = Self.plan.settlement(for: reply, of: try claimed(strikes: 2), outages: 3, jitter: 0)
        #expect(settlement == .retry(.init(delay: .seconds(16), reason: "r", isStrike: true, isUnsent: false)))
    }

    @Test("a sign-in that names nobody is none, and strikes never overflow")
    func nobody() throws {
        let settlement = Self.plan.settlement(
            for: .accepted(remoteID: nil), of: try claimed(.login, strikes: .max), outages: 3, jitter: 0)
        guard case .retry(let retry) = settlement else { return #expect(Bool(false), "\(settlement)") }
        #expect(retry.isStrike && !retry.isUnsent && retry.delay == .seconds(5))
        let other = Self.plan.settlement(for: .accepted(remoteID: nil), of: try claimed(), outages: 0, jitter: 0)
        #expect(other == .accepted(remoteID: nil))
    }

    // MARK: Refusals

    @Test("a refusal goes to the steps that own the fields, in the order of asking")
    func steps() throws {
        let reply = ReplyClass.rejected([
            .init(field: "last_name", code: "name.too_long"), .init(field: "unknown", code: "taken"),
            .init(field: "password", code: "too_common"), .init(field: "user_name", code: "taken"),
            .init(field: "user_name", code: "reserved"),
        ])
        #expect(
            Self.plan.settlement(for: reply, of: try claimed(), outages: 0, jitter: 0)
                == .rejected([
                    FieldRefusal(step: "userName", message: FieldMessage("username.taken")),
                    FieldRefusal(step: "password", message: FieldMessage("password.too_common")),
                    FieldRefusal(step: "lastName", message: FieldMessage("name.too_long")),
                ]))
    }

    @Test("a refusal that no step owns is shown at the first step", arguments: SubmissionKind.allCases)
    func nobodysField(kind: SubmissionKind) throws {
        let reply = ReplyClass.rejected([.init(field: "captcha", code: "wrong")])
        let first = kind == .login ? "userName" : "email"
        #expect(
            Self.plan.settlement(for: reply, of: try claimed(kind), outages: 0, jitter: 0)
                == .rejected([FieldRefusal(step: first, message: FieldMessage("server.rejected"))]))
    }

    @Test("a refusal of a kind that this program has no steps for is parked")
    func unknownKind() throws {
        let plan = SettlementPlan(definitions: [.setup: .setup])
        let reply = ReplyClass.rejected([.init(field: "user_name", code: "taken")])
        let settlement = plan.settlement(for: reply, of: try claimed(.login), outages: 0, jitter: 0)
        guard case .parked = settlement else {
            Issue.record("\(settlement)")
            return
        }
    }

    @Test(
        "a network's code becomes a message of the catalogue, an unknown one the general refusal",
        arguments: [
            ("user_name", "taken", "username.taken"), ("email_field", "taken", "email.taken"),
            ("user_name", "username.reserved", "username.reserved"), ("first_name", "no_letter", "name.no_letter"),
            ("last_name", "no_letter", "name.no_letter"), ("password", "too_common", "password.too_common"),
            ("password", "login.failed", "login.failed"), ("email_field", "required", "server.rejected"),
            ("email_field", "field.required", "field.required"), ("user_name", "", "server.rejected"),
            ("user_name", "<script>", "server.rejected"), ("password", "taken", "server.rejected"),
            ("nonsense", "taken", "server.rejected"), ("", "", "server.rejected"),
            ("user_name", "Your account is locked, call 555", "server.rejected"),
        ])
    func messages(field: String, code: String, id: String) {
        let message = SettlementPlan.message(for: .init(field: field, code: code))
        #expect(message.id == id)
        #expect(code.isEmpty || message.text != code)
    }

    @Test("acceptances and parkings are passed on as they are")
    func passedOn() throws {
        let claimed = try claimed()
        #expect(
            Self.plan.settlement(for: .accepted(remoteID: "r"), of: claimed, outages: 9, jitter: 0)
                == .accepted(remoteID: "r"))
        #expect(
            Self.plan.settlement(for: .parked(reason: "x"), of: claimed, outages: 0, jitter: 0) == .parked(reason: "x"))
    }

    @Test("secrets travel under the wire names of their steps")
    func wireNames() {
        let named = Self.plan.wireNames(of: ["password": Secret("a"), "old": Secret("b")], kind: .register)
        #expect(named.mapValues { $0.withText { $0 } } == ["password": "a", "old": "b"])
    }
}
