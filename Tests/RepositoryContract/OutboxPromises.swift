package import FoyerModel
import FoyerTestSupport
import Synchronization

/// What `DeliveryQueue` promises; submissions are made by finishing flows, and change them.
package enum OutboxPromises {
    package typealias Store = ContractStore<any DeliveryQueue & FlowStorage & UserRepository>

    package static let all: [Promise<Store>] = [
        Promise("What is due is claimed in its order, the first of each lane, and by one worker") { it in
            let first = try await it.submitted("ada", lane: "one")
            _ = try await it.submitted("ada", lane: "one")
            let other = try await it.submitted("grace", lane: "two")
            let worker = try it.worker(), second = try it.worker()
            let claimed = try await it.claim(worker)
            try require(claimed.map(\.id), is: [first.submissionID, other.submissionID], "what was claimed")
            try require(try await it.claim(second).count, is: 0, "what another worker gets")
            try require(try await it.claim(second, for: "elsewhere").count, is: 0, "what another endpoint gets")
        },
        Promise("A claim is begun by its holder; after a retirement it is as if it had never been made") { it in
            _ = try await it.submitted()
            let worker = try it.worker(), second = try it.worker()
            let lost = try require(try await it.claim(worker).first, "a claim")
            try await it.store.retire(worker)
            let waiting = try require(try await it.store.waiting().first, "what waits")
            try require(waiting.claims, is: 0, "how often it was claimed")
            let claim = try require(try await it.claim(second).first, "the next claim")
            try require(claim.fence > lost.fence, "the fence did not rise")
            try require(try await it.store.begin(lost), is: false, "whether the lost claim begins")
            try require(try await it.store.begin(claim), is: true, "whether the claim begins")
        },
        Promise("An acceptance makes the person active, finishes the flow and destroys its secrets") { it in
            let flow = try await it.submitted()
            let claim = try await it.sending()
            try require(try await it.store.secrets(of: claim).keys.sorted(), is: ["password"], "the secrets before")
            try require(try await it.settle(claim, .verdict(.accepted(remoteID: "r1"))), is: true, "whether it counts")
            let person = try require(try await it.store.users().first, "the person")
            try require(person.status, is: .active, "the person")
            try require(person.remoteID, is: "r1", "the network's name")
            let finished = try require(try await it.store.flow(flow.id), "the flow")
            try require(finished.status, is: .finished, "the flow")
            try require(finished.answers.compactMap(\.usableUntil).count, is: 0, "secrets that can be used")
            try require(try await it.store.submission(claim.id)?.state.name, is: .accepted, "the submission")
            try require(try await it.settle(claim, .retry(it.retry)), is: false, "whether anything counts after it")
        },
        Promise("A refusal opens the flow at the first refused step, with every other answer and another key") { it in
            let flow = try await it.submitted()
            let claim = try await it.sending()
            let refusal = FieldRefusal(step: "email", message: FieldMessage("email.taken"))
            try require(try await it.settle(claim, .verdict(.rejected([refusal]))), is: true, "whether it counts")
            let opened = try require(try await it.store.flow(flow.id), "the flow")
            try require(opened.status, is: .open, "the flow")
            try require(opened.step, is: "email", "the step")
            try require(opened.refusal, is: refusal.message, "what waits for the person")
            try require(try await it.store.unfinishedFlows().map(\.refusal), is: [refusal.message], "in the list")
            try require(opened.answers.first { $0.step == "email" }?.error, is: "email.taken", "the message")
            try require(opened.answers.first { $0.step == "password" }?.usableUntil != nil, "the secret is gone")
            try require(opened.submissionID != flow.submissionID, "the key is the same")
            try require(try await it.store.users().count, is: 0, "pending people")
            try require(try await it.store.submission(claim.id)?.state.reason, is: "email: email.taken", "the reason")
            let corrected = try await it.store.commit(it.change(opened, [("email", .clear("grace@example.org"))]))
            try require(corrected.refusal, is: nil, "what waits after the correction")
        },
        Promise("A plan of a lost claim is discarded; a verdict counts, whoever tells it") { it in
            _ = try await it.submitted()
            let lost = try await it.sending()
            it.clock.turn(by: .seconds(60))
            let claim = try await it.sending()
            try require(try await it.settle(lost, .retry(it.retry)), is: false, "whether the plan counts")
            try require(try await it.settle(lost, .verdict(.accepted(remoteID: nil))), is: true, "the verdict")
            try require(try await it.settle(claim, .parked(reason: "x")), is: false, "what comes after it")
        },
        Promise("A retry waits for its time; what is parked waits for a person, and holds up its lane") { it in
            let flow = try await it.submitted()
            try require(try await it.settle(try await it.sending(), .retry(it.retry)), is: true, "the retry")
            let worker = try it.worker()
            try require(try await it.claim(worker).count, is: 0, "what is due at once")
            it.clock.turn(by: it.retry.delay)
            let claim = try require(try await it.claim(worker).first, "what is due then")
            try require(claim.failures, is: 1, "the failures")
            _ = try await it.store.begin(claim)
            try require(try await it.settle(claim, .parked(reason: "look")), is: true, "the parking")
            _ = try await it.submitted()
            it.clock.turn(by: .seconds(86400))
            try require(try await it.claim(worker).count, is: 0, "what is due after the parking")
            let again = try await it.store.retry(flow.submissionID)
            try require(again.state, is: .ready(due: try require(again.state.due, "its time")), "the state")
            try require(again.failures, is: 0, "the failures")
            try require(try await it.claim(worker).map(\.id), is: [flow.submissionID], "what is due now")
        },
        Promise("What was never sent is taken back with its flow; what may have been is asked for first") { it in
            let unsent = try await it.submitted("ada", lane: "one")
            let taken = try await it.store.cancel(unsent.submissionID)
            try require(taken.state, is: .ended(.cancelled, reason: "given up"), "the submission")
            try require(try await it.store.flow(unsent.id)?.status, is: .cancelled, "the flow")
            let sent = try await it.submitted("grace", lane: "two")
            _ = try await it.settle(try await it.sending(), .retry(it.retry))
            let wanted = try await it.store.cancel(sent.submissionID)
            try require(wanted.state.isLive && wanted.isCancelWanted, "it was given up without a question")
            try require(try await it.sending().task, is: .cancel, "what is asked")
            try await refused(.flowClosed, "taking back what has ended") {
                _ = try await it.store.cancel(unsent.submissionID)
            }
            try await refused(.notFound, "taking back what is not there") {
                _ = try await it.store.cancel(it.makeID())
            }
        },
        Promise("What waits can be moved to another endpoint, and what is being sent cannot") { it in
            let flow = try await it.submitted()
            let moved = try await it.store.redirect(flow.submissionID, to: "elsewhere")
            try require(moved.endpoint, is: "elsewhere", "the endpoint")
            try require(try await it.claim(try it.worker()).count, is: 0, "what the first one gets")
            let worker = try it.worker()
            try require(try await it.claim(worker, for: "elsewhere").count, is: 1, "what the other one gets")
            try await refused(.flowClosed, "moving what is held") {
                _ = try await it.store.redirect(flow.submissionID, to: "server")
            }
        },
        Promise("While an endpoint is in trouble nobody sends to it; then one worker probes with one submission") {
            it in
            for name in ["ada", "grace", "joan"] { _ = try await it.submitted(name, lane: name) }
            let trouble = EndpointReport.Trouble(reason: "offline", isSoft: false, retryAfter: nil, jitter: 0.5)
            _ = try await it.settle(try await it.sending(), .retry(it.retry), .troubled(trouble))
            let worker = try it.worker()
            try require(try await it.claim(worker).count, is: 0, "what is sent while the breaker is open")
            try await it.store.probeNow("server")
            let probe = try await it.claim(worker)
            try require(probe.map(\.isProbe), is: [true], "the probe")
            try require(try await it.claim(try it.worker()).count, is: 0, "what is sent beside the probe")
            _ = try await it.store.begin(probe[0])
            _ = try await it.settle(probe[0], .verdict(.accepted(remoteID: nil)))
            try require(try await it.claim(worker).count > 0, "nothing is sent after the probe")
        },
        Promise("The backlog tells how much waits, where, and when the next of it is due") { it in
            _ = try await it.submitted("ada", lane: "one")
            let other = try await it.submitted("grace", lane: "two")
            _ = try await it.store.redirect(other.submissionID, to: "elsewhere")
            let here = try await it.store.backlog(for: "server")
            try require(
                here, is: Backlog(waiting: 2, elsewhere: ["elsewhere": 1], nextDueIn: .zero, isSending: false),
                "the backlog")
            _ = try await it.settle(try await it.sending(), .retry(it.retry))
            let later = try await it.store.backlog(for: "server")
            try require(later.nextDueIn, is: it.retry.delay, "when the next is due")
        },
        Promise("What waited for too long without being sent opens its flow again, without its secrets") { it in
            let flow = try await it.submitted()
            it.clock.turn(by: flow.kind.submissionLifetime)
            try require(try await it.claim(try it.worker()).count, is: 0, "what is claimed")
            try require(try await it.store.submission(flow.submissionID)?.state.name, is: .expired, "the submission")
            let opened = try require(try await it.store.flow(flow.id), "the flow")
            try require(opened.status, is: .open, "the flow")
            try require(opened.step, is: "password", "the step")
        },
    ]
}

extension ContractStore<any DeliveryQueue & FlowStorage & UserRepository> {
    fileprivate var retry: Settlement.Retry {
        Settlement.Retry(delay: .seconds(7), reason: "no answer", countsAsFailure: true, isUnsent: false)
    }

    /// A worker that lives for as long as the test.
    fileprivate func worker() throws -> WorkerID {
        let lease = try store.makeWorker()
        leases.withLock { $0.append(lease) }
        return lease.worker
    }

    /// A finished registration with a password.
    fileprivate func submitted(_ name: String = "ada", lane: String = "ada") async throws -> SavedFlow {
        let flow = try await store.commit(change(registration(), [("password", .secret(Secret("words")))]))
        return try await store.commit(finish(flow, by: name, lane: lane))
    }

    fileprivate func claim(
        _ worker: WorkerID, for endpoint: String = "server"
    ) async throws -> [ClaimedSubmission] {
        try await store.claim(8, by: worker, for: endpoint, isIdle: true)
    }

    /// The first that is due, as a worker of its own is about to send it.
    fileprivate func sending() async throws -> ClaimedSubmission {
        let claimed = try await store.claim(1, by: try worker(), for: "server", isIdle: true)
        let claim = try require(claimed.first, "what is due")
        try require(try await store.begin(claim), is: true, "whether the claim begins")
        return claim
    }

    fileprivate func settle(
        _ claim: ClaimedSubmission, _ settlement: Settlement, _ report: EndpointReport = .answered
    ) async throws -> Bool {
        try await store.settle(claim, settlement, report, httpStatus: nil)
    }
}
