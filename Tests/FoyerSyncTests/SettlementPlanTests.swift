import FoyerModel
import Testing

@testable import FoyerSync

@Suite struct SettlementPlanTests {
    private static let now = Timestamp(milliseconds: 1_767_323_045_000)
    private static let plan = SettlementPlan(
        definitions: FlowKind.allCases.reduce(into: [:]) { $0[$1] = FlowDefinition.standard(for: $1) })

    private func claimed(_ kind: FlowKind = .register, failures: Int = 0) throws -> ClaimedSubmission {
        let id = try #require(UUIDv7("01900000-0000-7000-8000-000000000001"))
        return ClaimedSubmission(
            id: id, fence: 1, kind: kind, flowID: nil, body: "{}", failures: failures,
            worker: WorkerID("w"), endpoint: "server")
    }

    private func settlement(_ reply: ReplyClass, of claimed: ClaimedSubmission, jitter: Double = 0) -> Settlement {
        Self.plan.settlement(for: reply, of: claimed, jitter: jitter, now: Self.now).0
    }

    /// A refusal of fields by their names and codes on the wire.
    private func refusals(
        _ fields: [(field: String, code: String)], by definition: FlowDefinition? = .register
    ) -> [FieldRefusal] {
        FieldRefusal.all(from: fields.map { .init(field: $0.field, code: $0.code) }, in: definition)
    }

    private func refusal(
        _ fields: [(field: String, code: String)], by definition: FlowDefinition? = .register
    ) -> ReplyClass {
        .verdict(.rejected(refusals(fields, by: definition)))
    }

    // MARK: Delays

    @Test(
        "The longest wait doubles with each failure, up to its cap, and chance takes some of it away",
        arguments: [
            (FlowKind.register, 0, 1000), (.register, 1, 2000), (.register, 5, 32000), (.register, 9, 512_000),
            (.register, 10, 900_000), (.register, 1000, 900_000), (.register, Int.max, 900_000), (.reset, 0, 1000),
            (.reset, 20, 900_000), (.login, 0, 500), (.login, 4, 8000), (.login, 5, 10000), (.login, 500, 10000),
        ])
    func doubling(kind: FlowKind, failures: Int, milliseconds: Int) {
        let full = Duration.milliseconds(milliseconds)
        func delay(_ jitter: Double) -> Duration {
            SettlementPlan.delay(failures: failures, kind: kind, jitter: jitter)
        }
        #expect(delay(0) == .milliseconds(250))
        #expect(delay(0.75) == full * 3 / 4)
        #expect(delay(0.999) < full)
        #expect(delay(0.999) > full * 9 / 10)
    }

    @Test("Trouble that may be the submission's own counts as a failure, unless the endpoint is on trial")
    func failures() throws {
        let failed = ReplyClass.maybeSent(reason: "r")
        for isProbe in [true, false] {
            let id = try #require(UUIDv7("01900000-0000-7000-8000-000000000001"))
            let claimed = ClaimedSubmission(
                id: id, fence: 1, kind: .register, flowID: nil, body: "{}", failures: 2, worker: WorkerID("w"),
                endpoint: "server", isProbe: isProbe)
            let (settlement, report) = Self.plan.settlement(for: failed, of: claimed, jitter: 0.5, now: Self.now)
            #expect(
                settlement == .retry(.init(delay: .seconds(2), reason: "r", countsAsFailure: !isProbe, isUnsent: false))
            )
            #expect(report == .troubled(.init(reason: "r", isSoft: true, retryAfter: nil, jitter: 0.5)))
        }
    }

    @Test("Trouble of the network is no failure, and is left to the breaker, with what the network wants")
    func breaker() throws {
        let (settlement, report) = Self.plan.settlement(
            for: .unavailable(after: .seconds(60), reason: "r"), of: try claimed(), jitter: 0.5, now: Self.now)
        #expect(settlement == .retry(.init(delay: .zero, reason: "r", countsAsFailure: false, isUnsent: false)))
        #expect(report == .troubled(.init(reason: "r", isSoft: false, retryAfter: .seconds(60), jitter: 0.5)))
        let (unsent, offline) = Self.plan.settlement(
            for: .unsent(reason: "r"), of: try claimed(), jitter: 0.5, now: Self.now)
        #expect(unsent == .retry(.init(delay: .zero, reason: "r", countsAsFailure: false, isUnsent: true)))
        #expect(offline == .troubled(.init(reason: "r", isSoft: false, retryAfter: nil, jitter: 0.5)))
    }

    @Test("What the network is at work on is asked for again when it wants, never at once, and is no failure")
    func wait() throws {
        for (wanted, delay) in [(nil, 2000), (0, 250), (60, 60000)] as [(Int?, Int)] {
            let reply = ReplyClass.wait(after: wanted.map { .seconds($0) }, reason: "r")
            let (settlement, report) = Self.plan.settlement(for: reply, of: try claimed(), jitter: 0, now: Self.now)
            #expect(
                settlement
                    == .retry(.init(delay: .milliseconds(delay), reason: "r", countsAsFailure: false, isUnsent: false)))
            #expect(report == .answered)
        }
    }

    @Test("A sign-in that names nobody is none")
    func nobody() throws {
        let settlement = settlement(.verdict(.accepted(remoteID: nil)), of: try claimed(.login))
        guard case .retry(let retry) = settlement, retry.countsAsFailure else {
            Issue.record("\(settlement)")
            return
        }
        let other = self.settlement(.verdict(.accepted(remoteID: nil)), of: try claimed(.register))
        #expect(other == .verdict(.accepted(remoteID: nil)))
    }

    private func tooOld(_ task: ClaimedSubmission.Task = .submit, maybeSent: Bool, keyAge: Duration) -> Settlement {
        var maker = UUIDv7.Maker(), random = SystemRandomNumberGenerator()
        let claimed = ClaimedSubmission(
            id: maker.next(at: Self.now + (.zero - keyAge), using: &random), fence: 1, kind: .register, flowID: nil,
            body: "{}", failures: 0, task: task, maybeSent: maybeSent, worker: WorkerID("w"), endpoint: "server")
        return settlement(.tooOld, of: claimed)
    }

    @Test(
        "What surely never came gets a key of now, whether its key is too old or from the future, and is sent at once",
        arguments: [-10 * 365, -2, 31, 365, 40 * 365])
    func newKey(days: Int) throws {
        let settlement = tooOld(maybeSent: false, keyAge: .seconds(days * 86400))
        guard case .retry(let retry) = settlement else {
            Issue.record("\(settlement)")
            return
        }
        #expect(retry.newKeyTime == Self.now && retry.delay == .zero && retry.isUnsent && !retry.countsAsFailure)
    }

    @Test("A key of now that is refused as too old is tried again later, without a failure and without another key")
    func refusedNewKey() throws {
        guard case .retry(let retry) = tooOld(maybeSent: false, keyAge: .seconds(60)) else {
            Issue.record("it is not tried again")
            return
        }
        #expect(retry.newKeyTime == nil && retry.delay == .seconds(900) && retry.isUnsent && !retry.countsAsFailure)
    }

    @Test("What may have come, and is too old for the network, is looked at by a person")
    func tooOldInDoubt() throws {
        let year = Duration.seconds(365 * 86400)
        #expect(tooOld(maybeSent: true, keyAge: year).outcome == "parked")
        #expect(tooOld(.askOutcome, maybeSent: true, keyAge: year).outcome == "expired")
        #expect(tooOld(.cancel, maybeSent: true, keyAge: year).outcome == "cancelled")
    }

    // MARK: Refusals

    @Test("A refusal goes to the steps that own the fields, in the order of asking")
    func steps() throws {
        let reply = refusal([
            ("last_name", "name.too_long"), ("unknown", "taken"), ("password", "too_common"), ("user_name", "taken"),
            ("user_name", "reserved"),
        ])
        #expect(
            settlement(reply, of: try claimed())
                == .verdict(
                    .rejected([
                        FieldRefusal(step: "userName", message: FieldMessage("username.taken")),
                        FieldRefusal(step: "password", message: FieldMessage("password.too_common")),
                        FieldRefusal(step: "lastName", message: FieldMessage("name.too_long")),
                    ])))
    }

    @Test("A refusal that no step owns is shown at the first step", arguments: FlowKind.allCases)
    func nobodysField(kind: FlowKind) throws {
        let reply = refusal([("captcha", "wrong")], by: .standard(for: kind))
        let first = kind == .login ? "userName" : "email"
        #expect(
            settlement(reply, of: try claimed(kind))
                == .verdict(.rejected([FieldRefusal(step: first, message: FieldMessage("server.rejected"))])))
    }

    @Test("A refusal of a kind that this program has no steps for is parked")
    func unknownKind() throws {
        let plan = SettlementPlan(definitions: [.register: .register])
        let reply = refusal([("user_name", "taken")], by: nil)
        let settlement = plan.settlement(for: reply, of: try claimed(.login), jitter: 0, now: Self.now).0
        guard case .parked = settlement else {
            Issue.record("\(settlement)")
            return
        }
    }

    @Test(
        "A network's code becomes a message of the catalogue, an unknown one the general refusal",
        arguments: [
            ("user_name", "taken", "username.taken"), ("email_field", "taken", "email.taken"),
            ("user_name", "username.reserved", "username.reserved"), ("first_name", "no_letter", "name.no_letter"),
            ("last_name", "no_letter", "name.no_letter"), ("password", "too_common", "password.too_common"),
            ("password", "login.failed", "login.failed"), ("email_field", "required", "server.rejected"),
            ("email_field", "field.required", "field.required"), ("user_name", "", "server.rejected"),
            ("user_name", "<script>", "server.rejected"), ("password", "taken", "server.rejected"),
            ("nonsense", "taken", "server.rejected"), ("", "", "server.rejected"),
            ("password", "key_unknown", "flow.secret_unavailable"), ("password", "box_used", "flow.secret_unavailable"),
            ("user_name", "Your account is locked, call 555", "server.rejected"),
        ])
    func messages(field: String, code: String, id: String) {
        let message = FieldRefusal.message(for: .init(field: field, code: code), in: .register)
        #expect(message.id == id)
        #expect(code.isEmpty || message.text != code)
    }

    @Test("A code without a message is named for the log, and a text in its place is not")
    func unknownCodes() {
        let refusals = refusals([
            ("user_name", "taken"), ("user_name", "too_old_fashioned"),
            ("ada@example.org", "Ada Lovelace is known to us"), ("", "x\u{1B}[2J"),
        ])
        #expect(
            refusals.compactMap(\.unknownCode).map { [$0.field, $0.code] } == [
                ["user_name", "too_old_fashioned"], ["other", "other"], ["other", "other"],
            ])
    }

    @Test("A code for which the definition has a text is shown in its words, and is not unknown")
    func ownMessages() throws {
        let definition = try FlowDefinition(
            .register, steps: FlowDefinition.register.steps, messages: ["username.too_old_fashioned": "Be modern."])
        let refused = try #require(refusals([("user_name", "too_old_fashioned")], by: definition).first)
        #expect(refused.message.id == "username.too_old_fashioned" && refused.unknownCode == nil)
    }

    @Test("Acceptances and parkings are passed on as they are")
    func passedOn() throws {
        let claimed = try claimed()
        #expect(
            settlement(.verdict(.accepted(remoteID: "r")), of: claimed)
                == .verdict(.accepted(remoteID: "r")))
        #expect(
            settlement(.parked(reason: "x"), of: claimed) == .parked(reason: "x"))
    }

    @Test("Secrets travel under the wire names of their steps")
    func wireNames() {
        let named = Self.plan.wireNames(of: ["password": Secret("a"), "old": Secret("b")], kind: .register)
        #expect(named.mapValues { String(revealing: $0) } == ["password": "a", "old": "b"])
    }
}
