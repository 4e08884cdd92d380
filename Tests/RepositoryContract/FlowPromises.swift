package import FoyerModel
import FoyerTestSupport

/// What `FlowStorage` promises; a finish makes people, so these are promises of both repositories together.
package enum FlowPromises {
    package typealias Store = ContractStore<any FlowStorage & UserRepository>

    package static let all: [Promise<Store>] = [
        Promise("A commit makes the flow, and gives it back as a later look finds it") { it in
            let made = try await it.store.commit(
                it.change(
                    it.registration(), [("email", .clear("ada@example.org")), ("password", .secret(Secret("words")))]))
            try require(made.revision, is: 1, "the revision of a new flow")
            try require(try await it.store.flow(made.id), is: made, "the flow that was made")
            try require(made.answers.map(\.kept), is: [.clear, .sealed], "how answers are kept")
            try require(made.answers.map(\.value), is: ["ada@example.org", nil], "the texts of answers")
            try require(made.answers[1].usableUntil, is: it.clock.now + .seconds(86400), "how long a secret lasts")
        },
        Promise("An answer takes the place of the earlier one of its step, and comes last") { it in
            let made = try await it.store.commit(
                it.change(it.registration(), [("email", .clear("a@b.org")), ("userName", .clear("ada"))]))
            it.clock.turn(by: .seconds(1))
            let changed = try await it.store.commit(it.change(made, [("email", .clear("c@d.org"))], step: "password"))
            try require(changed.answers.map(\.step), is: ["userName", "email"], "the order of answers")
            try require(changed.answers.map(\.value), is: ["ada", "c@d.org"], "the answers")
            try require(changed.step, is: "password", "the next step")
            try require(changed.updatedAt, is: it.clock.now, "when it was changed")
            try require(try await it.store.flow(made.id), is: changed, "the flow that was changed")
        },
        Promise("An answer that is not kept is known to have been given") { it in
            let flow = it.registration()
            var change = it.change(flow)
            change.answers = [FlowChange.Answer(step: "email", version: 1, content: nil)]
            let made = try await it.store.commit(change)
            try require(made.answers.map(\.kept), is: [.volatile], "how it is kept")
        },
        Promise("A change that was decided on an older revision is refused, and nothing of it is written") { it in
            let made = try await it.store.commit(it.change(it.registration(), [("email", .clear("a@b.org"))]))
            let changed = try await it.store.commit(it.change(made, [("userName", .clear("ada"))]))
            try await refused(.movedOn, "an older revision") {
                _ = try await it.store.commit(it.change(made, [("userName", .clear("eve"))]))
            }
            try require(try await it.store.flow(made.id), is: changed, "the flow after the refusal")
        },
        Promise("A flow that has ended takes no answer") { it in
            let made = try await it.store.commit(it.change(it.registration()))
            let ended = try await it.store.commit(it.change(made, outcome: .cancelled))
            try require(ended.status, is: .cancelled, "the status")
            try await refused(.flowClosed, "an ended flow") { _ = try await it.store.commit(it.change(ended)) }
        },
        Promise("A change of a flow that is not there any more is refused as one that is gone") { it in
            let flow = it.registration()
            let gone = SavedFlow(
                id: flow.id, kind: flow.kind, path: flow.path, status: .open, fingerprint: "", step: nil, revision: 3,
                userID: nil, submissionID: flow.submissionID, createdAt: flow.createdAt, updatedAt: flow.updatedAt,
                expiresAt: flow.expiresAt)
            try await refused(.flowGone, "a flow that is gone") { _ = try await it.store.commit(it.change(gone)) }
            try require(try await it.store.flow(flow.id), is: nil, "the flow after the refusal")
        },
        Promise("A finish submits the flow and makes the person, once") { it in
            let made = try await it.store.commit(it.change(it.registration()))
            let submitted = try await it.store.commit(it.finish(made))
            try require(submitted.status, is: .submitted, "the status")
            let people = try await it.store.users()
            try require(people.map(\.userName), is: ["ada"], "the people")
            try require(submitted.userID, is: people.first?.id, "whose flow it is")
            try await refused(.flowClosed, "a second finish") { _ = try await it.store.commit(it.finish(made)) }
            try require(try await it.store.users().count, is: 1, "the people after a second finish")
        },
        Promise("The newest open flow is the one that was changed last") { it in
            let first = try await it.store.commit(it.change(it.registration()))
            it.clock.turn(by: .seconds(1))
            let second = try await it.store.commit(it.change(it.registration(.login)))
            try require(try await it.store.newestOpenFlow()?.id, is: second.id, "the newest")
            it.clock.turn(by: .seconds(1))
            let again = try await it.store.commit(it.change(first, [("email", .clear("a@b.org"))]))
            try require(try await it.store.newestOpenFlow(), is: again, "the newest after a change")
        },
        Promise("Unfinished flows come newest first and without answers; what has ended is not among them") { it in
            let first = try await it.store.commit(it.change(it.registration(), [("email", .clear("a@b.org"))]))
            it.clock.turn(by: .seconds(1))
            let ended = try await it.store.commit(it.change(it.registration()))
            _ = try await it.store.cancel(ended.id, at: it.clock.now)
            it.clock.turn(by: .seconds(1))
            let second = try await it.store.commit(it.finish(try await it.store.commit(it.change(it.registration()))))
            let found = try await it.store.unfinishedFlows()
            try require(found.map(\.id), is: [second.id, first.id], "the flows")
            try require(found.allSatisfy { $0.answers.isEmpty }, "answers came with the list")
        },
        Promise("A flow that was left alone for too long expires; one that waits for the network does not") { it in
            let left = try await it.store.commit(it.change(it.registration()))
            let waiting = try await it.store.commit(it.finish(try await it.store.commit(it.change(it.registration()))))
            it.clock.turn(by: .seconds(30 * 86400))
            try require(try await it.store.newestOpenFlow(), is: nil, "the newest that is not overdue")
            try require(try await it.store.unfinishedFlows().map(\.id), is: [waiting.id], "what is not overdue")
            try require(try await it.store.expireFlows(), is: 1, "how many expired")
            try require(try await it.store.flow(left.id)?.status, is: .expired, "the one that was left alone")
        },
        Promise("Giving a flow up ends it, once; of an unknown one nothing is found") { it in
            let made = try await it.store.commit(it.change(it.registration(), [("email", .clear("a@b.org"))]))
            let ended = try await it.store.cancel(made.id, at: it.clock.now)
            try require(ended.status, is: .cancelled, "the status")
            try require(ended.revision, is: made.revision + 1, "the revision")
            try await refused(.flowClosed, "giving up again") {
                _ = try await it.store.cancel(made.id, at: it.clock.now)
            }
            try await refused(.notFound, "giving up what is not there") {
                _ = try await it.store.cancel(it.makeID(), at: it.clock.now)
            }
        },
        Promise("The tree of a flow that runs alone ends with it; under the name of a program it stays") { it in
            let made = try await it.store.commit(it.change(it.registration()))
            try require(try await it.store.tree(of: made.id.text), is: [Self.root], "the tree of the flow")
            _ = try await it.store.commit(it.change(made, outcome: .cancelled))
            try require(try await it.store.tree(of: made.id.text), is: [], "the tree of the ended flow")
            try await it.store.save([root], of: made.id.text)
            try require(try await it.store.tree(of: made.id.text), is: [], "what was saved after the end")
            var change = it.change(it.registration())
            change.host = "app"
            let shown = try await it.store.commit(change)
            _ = try await it.store.cancel(shown.id, at: it.clock.now)
            try require(try await it.store.tree(of: "app"), is: [Self.root], "the program's tree")
        },
        Promise("A tree takes the place of the one that was saved under its name") { it in
            let child = CoordinatorNode(path: "register/about", slot: "about", position: 0, config: "{}", state: "1")
            let moved = CoordinatorNode(path: "register/about", slot: "about", position: 1, config: "{}", state: "2")
            try await it.store.save([Self.root, child], of: "app")
            try require(try await it.store.tree(of: "app"), is: [Self.root, child], "the tree")
            try await it.store.save([Self.root, moved], of: "app")
            try require(try await it.store.tree(of: "app"), is: [Self.root, moved], "the tree after a change")
            try await it.store.save([Self.root], of: "app")
            try require(try await it.store.tree(of: "app"), is: [Self.root], "the tree without its child")
            try require(try await it.store.tree(of: "other"), is: [], "a tree that nobody saved")
        },
        Promise("A text that was not confirmed is kept until another change says what stands there") { it in
            var change = it.change(it.registration())
            change.unsent = ["email": "ada@exa"]
            let made = try await it.store.commit(change)
            try require(try await it.store.flow(made.id)?.unsent, is: ["email": "ada@exa"], "what stood there")
            let same = try await it.store.commit(it.change(made, [("userName", .clear("ada"))]))
            try require(try await it.store.flow(made.id)?.unsent, is: ["email": "ada@exa"], "what stands there still")
            change = it.change(same)
            change.unsent = [:]
            _ = try await it.store.commit(change)
            try require(try await it.store.flow(made.id)?.unsent, is: [:], "what stands there no more")
        },
        Promise("An answer that no step asks for is set aside, and comes back when one does") { it in
            var change = it.change(it.registration(), [("email", .clear("a@b.org")), ("pet", .clear("cat"))])
            change.knownSteps = ["email", "pet"]
            let made = try await it.store.commit(change)
            change = it.change(made)
            change.knownSteps = ["email"]
            let without = try await it.store.commit(change)
            try require(without.answers.map(\.kept), is: [.clear, .aside], "what is set aside")
            change = it.change(without)
            change.knownSteps = ["email", "pet"]
            let with = try await it.store.commit(change)
            try require(with.answers.map(\.kept), is: [.clear, .clear], "what came back")
            try require(with.answers.map(\.value), is: ["a@b.org", "cat"], "the answers")
        },
        Promise("The text of a secret answer is never kept where it can be read") { it in
            let made = try await it.store.commit(
                it.change(it.registration(), [("password", .secret(Secret("secret words")))]))
            try await refused(.repeatedSecret, "a secret in the clear") {
                _ = try await it.store.commit(it.change(made, [("userName", .clear("secret words"))]))
            }
            try require(try await it.store.flow(made.id), is: made, "the flow after the refusal")
        },
    ]

    private static var root: CoordinatorNode { Store.root }
}

/// What `UserRepository` promises.
package enum UserPromises {
    package typealias Store = ContractStore<any UserRepository>

    package static let all: [Promise<Store>] = [
        Promise("People are listed in the order in which they came, and found by identifier and by address") { it in
            let people = ["ada", "grace"].map { person($0, it) }
            try await it.store.add([people[0]])
            try await it.store.add([people[1]])
            try require(try await it.store.users().elements, is: people, "the people")
            try require(try await it.store.user(people[1].id), is: people[1], "a person")
            try require(try await it.store.user(it.makeID()), is: nil, "nobody")
            try require(try await it.store.users(email: "ADA@example.org"), is: [people[0]], "by address")
            try require(try await it.store.users(email: "eve@example.org"), is: [], "by a strange address")
        },
        Promise("Where one of several people is there already, nobody is added") { it in
            let ada = person("ada", it)
            try await it.store.add([ada])
            try await refused(.alreadyThere, "one twice") { try await it.store.add([person("grace", it), ada]) }
            try require(try await it.store.users().elements, is: [ada], "the people")
        },
    ]

    @Sendable private static func person(_ name: String, _ it: Store) -> User {
        User(
            id: it.makeID(), email: "\(name)@example.org", userName: name, status: .active,
            createdAt: it.clock.now, updatedAt: it.clock.now)
    }
}
