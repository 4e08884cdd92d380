import FoyerModel
import Testing

@Suite struct FlowDefinitionTests {
    @Test("A definition without steps, or with two steps of one name, is refused and says why")
    func refusals() {
        #expect(throws: FlowDefinitionError.noSteps) { try FlowDefinition(.login, steps: []) }
        #expect(throws: FlowDefinitionError.repeatedStep("one")) {
            try FlowDefinition(.login, steps: [.clear("one"), .clear("two"), .secret("one", version: 2)])
        }
        #expect(FlowDefinitionError.repeatedStep("one").description.contains("\"one\""))
        #expect(!FlowDefinitionError.noSteps.description.isEmpty)
    }

    @Test(
        "A step's name must fit into fingerprints and beside the flow's other screens",
        arguments: ["", "first name", "a@b", "a/b", "é", "review", "submitted"])
    func unusable(name: String) {
        #expect(throws: FlowDefinitionError.unusableStep(name)) { try FlowDefinition(.login, steps: [.clear(name)]) }
        #expect(FlowDefinitionError.unusableStep(name).description.contains("\"\(name)\""))
    }

    @Test("Two fields of one wire name are refused: one answer would hide the other")
    func repeatedField() throws {
        let step = FlowStep.clear("one")
        let twin = FlowStep("two", field: step.field) { text, _ in text }
        #expect(throws: FlowDefinitionError.repeatedField(step.field.wireName)) {
            try FlowDefinition(.login, steps: [step, twin])
        }
    }

    @Test("The fingerprint tells names, versions and order")
    func fingerprint() throws {
        #expect(try FlowDefinition.sample.fingerprint == "one@1 code@1 two@1 three@1")
        let lists: [[FlowStep]] = [
            [.clear("one"), .clear("two")], [.clear("two"), .clear("one")], [.clear("one", version: 2), .clear("two")],
            [.clear("one")],
        ]
        let prints = try lists.map { try FlowDefinition(.register, steps: $0).fingerprint }
        #expect(Set(prints).count == lists.count)
    }

    @Test("Steps are found by name and by wire name; what is unknown is not found")
    func lookup() throws {
        let sample = try FlowDefinition.sample
        #expect(sample[step: "two"]?.id == "two" && sample[step: "wire_two"] == nil)
        #expect(sample.step(forField: "wire_two")?.id == "two" && sample.step(forField: "two") == nil)
    }

    @Test(
        "The definitions that ship ask the steps of the design, and keep only the password sealed",
        arguments: [
            (.register, ["email", "userName", "password", "firstName", "lastName"]),
            (.login, ["userName", "password"]),
            (.reset, ["email"]),
        ] as [(FlowKind, [String])])
    func shipped(kind: FlowKind, steps: [String]) throws {
        let definition = FlowDefinition.standard(for: kind)
        #expect(definition.kind == kind)
        #expect(definition.steps.map(\.id) == steps)
        for step in definition.steps {
            #expect(step.keep == (step.id == "password" ? .sealed : .clear))
            #expect(step.isSecret == (step.id == "password"))
        }
        #expect(definition.lifetime == .seconds(30 * 86400))
    }

    @Test(
        "The definitions that ship pass the checks that every definition has to pass", arguments: FlowKind.allCases)
    func shippedAreWellFormed(kind: FlowKind) throws {
        let shipped = FlowDefinition.standard(for: kind)
        let checked = try FlowDefinition(kind, steps: shipped.steps)
        #expect(checked.fingerprint == shipped.fingerprint)
        #expect(Set(shipped.steps.map(\.field.wireName)).count == shipped.steps.count, "one wire name, one step")
    }

    @Test(
        "Each wire name belongs to the step that the contract of the wire says",
        arguments: [
            ("email_field", "email"), ("user_name", "userName"), ("first_name", "firstName"),
            ("last_name", "lastName"), ("password", "password"),
        ])
    func wireNames(field: String, step: String) {
        #expect(FlowDefinition.register.step(forField: field)?.id == step)
    }

    @Test("A sign-in takes an older user name and password that today's rules for new ones refuse")
    func existingAccounts() throws {
        var login = FlowDraft(.login), setup = FlowDraft(.register)
        #expect(try login.problem(entering: "x", at: "userName") == nil)
        #expect(try login.problem(entering: "short", at: "password") == nil)
        #expect(try setup.problem(entering: "x", at: "userName")?.id == "username.too_short")
        #expect(try setup.problem(entering: "short", at: "password")?.id == "password.too_short")
    }

    @Test("A new password is compared with the answers that were given before it")
    func personalPassword() throws {
        var draft = FlowDraft(.register)
        #expect(try draft.problem(entering: "ada.lovelace", at: "userName") == nil)
        #expect(try draft.problem(entering: "ada.lovelace", at: "password")?.id == "password.matches_personal_data")
    }

    @Test("Other rules are on offer: a longer password with a list of its own, user names and addresses of all scripts")
    func otherRules() throws {
        let policy = PasswordPolicy(minimum: 15, blocklist: ["correct horse battery".uppercased()])
        let definition = FlowDefinition.register(passwords: policy, userNames: .unicode, smtputf8: true)
        #expect(definition.fingerprint == FlowDefinition.register.fingerprint)
        var draft = FlowDraft(definition)
        func refusal(_ text: String, at id: String) throws -> String? { try draft.problem(entering: text, at: id)?.id }
        #expect(try refusal("δοκιμή@example.org", at: "email") == nil)
        #expect(try refusal("Ада", at: "userName") == nil)
        #expect(try refusal("fourteen chars", at: "password") == "password.too_short")
        #expect(try refusal("correct horse battery", at: "password") == "password.too_common")
        #expect(try refusal("fifteen letters", at: "password") == nil)
        #expect(definition[step: "password"]?.hint == PasswordPolicy.nistSingleFactor15.hint)
        #expect(definition[step: "userName"]?.hint?.contains("one script") == true)
    }
}
