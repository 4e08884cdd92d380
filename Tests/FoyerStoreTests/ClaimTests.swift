import FoyerModel
import FoyerTestSupport
import Glibc
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct ClaimTests {
    @Test("Claims come in the order in which they are due, then in the order of committing")
    func order() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let first = try await scene.submitted()
        let second = try await scene.submitted(by: .grace)
        scene.clock.turn(by: .seconds(1))
        let third = try await scene.submitted()
        #expect(try await scene.claim(worker, 1).map(\.id) == [first.submissionID])
        let claimed = try await scene.claim(worker)
        #expect(Set(claimed.map(\.id)) == [second.submissionID, third.submissionID])
        #expect(try await scene.claim(worker).isEmpty)
        #expect(try await scene.sql("SELECT claims, fence, begun FROM submissions GROUP BY 1, 2, 3") == "1|1|1")
        #expect(try await scene.count("submission_attempts WHERE worker = '\(worker.worker.text)'") == "3")
    }

    @Test("A claim takes the earliest due first, whatever was committed first")
    func dueOrder() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let early = try await scene.submitted()
        try await scene.settle(try #require(try await scene.claim(worker).first), .retry(after: .seconds(5)))
        scene.clock.turn(by: .seconds(1))
        let late = try await scene.submitted(by: .grace)
        scene.clock.turn(by: .seconds(10))
        #expect(try await scene.claim(worker, 1).map(\.id) == [late.submissionID])
        #expect(try await scene.claim(worker, 1).map(\.id) == [early.submissionID])
    }

    @Test("What is not due yet is not claimed, to the millisecond")
    func due() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        try await scene.settle(try await scene.sending(worker: worker), .retry(after: .seconds(10)))
        #expect(
            try await scene.store.backlog()
                == Backlog(waiting: 1, nextDueIn: .seconds(10), isSending: false))
        scene.clock.turn(by: .milliseconds(9999))
        #expect(try await scene.claim(worker).isEmpty)
        scene.clock.turn(by: .milliseconds(1))
        #expect(try await scene.claim(worker).count == 1)
    }

    /// What keeps a lane waiting.
    enum Head: CaseIterable {
        case ready, notDue, sending, parked
    }

    @Test("Of one lane one is claimed at most, and nothing behind an unsettled one", arguments: Head.allCases)
    func lane(head: Head) async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let first = try await scene.submitted(lane: "ada")
        _ = try await scene.submittedLogin(lane: "ada")
        if head != .ready {
            let claimed = try #require(try await scene.claim(worker).first)
            #expect(claimed.id == first.submissionID)
            if head == .notDue { try await scene.settle(claimed, .retry(after: .seconds(30))) }
            if head == .parked { try await scene.settle(claimed, .parked(reason: "no")) }
        }
        #expect(try await scene.claim(worker).map(\.id) == (head == .ready ? [first.submissionID] : []))
        #expect(try await scene.store.backlog().waiting == 2)
    }

    @Test("What follows in a lane is claimed as soon as the one before has its verdict")
    func laneGoesOn() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        _ = try await scene.submitted(lane: "ada")
        let second = try await scene.submittedLogin(lane: "ada")
        try await scene.settle(try #require(try await scene.claim(worker).first), .verdict(.accepted(remoteID: nil)))
        #expect(try await scene.claim(worker).map(\.id) == [second.submissionID])
    }

    @Test("Many workers at once claim each submission once")
    func contention() async throws {
        let scene = try await Scene()
        let flows = try await [scene.submitted(), scene.submitted(), scene.submitted(), scene.submitted()]
        let stores = try await [scene.store, scene.another(), scene.another()]
        let claimed = try await withThrowingTaskGroup(of: [UUIDv7].self) { group in
            for store in stores {
                group.addTask {
                    let worker = try store.makeWorker()
                    var mine: [UUIDv7] = []
                    while true {
                        let next = try await store.claim(1, by: worker.worker, for: "server", isIdle: true)
                        guard let next = next.first else { return mine }
                        mine.append(next.id)
                        #expect(try await store.begin(next))
                        _ = try await store.settle(next, .verdict(.accepted(remoteID: nil)), .answered, httpStatus: 201)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.sorted() == flows.map(\.submissionID).sorted())
        #expect(try await scene.count("submission_attempts") == "4")
    }
}

@Suite struct RescueTests {
    @Test("What a worker held that is gone is due at once")
    func released() async throws {
        let scene = try await Scene()
        let other = try await scene.another()
        var gone: (any WorkerLease)? = try other.makeWorker()
        let lost = try await scene.sending(worker: try #require(gone))
        gone = nil
        let worker = try scene.store.makeWorker()
        let claimed = try #require(try await scene.claim(worker).first)
        #expect(claimed.id == lost.id)
        #expect(claimed.fence == lost.fence + 1)
        #expect(
            try await scene.sql("SELECT fence, outcome FROM submission_attempts ORDER BY fence") == "1|worker died\n2|")
        #expect(try await scene.sql("SELECT worker_deaths, maybe_sent FROM submissions") == "1|1")
    }

    @Test("What a killed process held is due at once")
    func killed() async throws {
        let scene = try await Scene()
        _ = try await scene.submitted()
        let (database, key) = (scene.database, scene.keyFile)
        await #expect(processExitsWith: .signal(SIGKILL)) { [database = database as String, key = key as String] in
            let store = try await Repositories.open(
                at: database, keyFile: key, endpoint: .named("server"),
                environment: TestClock(TestClock.start).environment)
            let worker = try store.makeWorker()
            let claimed = try await store.claim(1, by: worker.worker, for: "server", isIdle: true)
            guard claimed.count == 1, try await store.begin(claimed[0]) else { return }
            kill(getpid(), SIGKILL)
        }
        #expect(try await scene.sql("SELECT state FROM submissions") == "sending")
        let claimed = try await scene.claim(try scene.store.makeWorker())
        #expect(claimed.map(\.fence) == [2])
        #expect(try await scene.sql("SELECT worker_deaths FROM submissions") == "1")
    }

    @Test("What a living worker holds stays with it until its lease is over")
    func living() async throws {
        let scene = try await Scene()
        let living = try await scene.another().makeWorker()
        let held = try await scene.sending(worker: living)
        let worker = try scene.store.makeWorker()
        scene.clock.turn(by: .seconds(45))
        #expect(try await scene.claim(worker).isEmpty)
        scene.clock.turn(by: .milliseconds(1))
        let claimed = try #require(try await scene.claim(worker).first)
        #expect(claimed.fence == held.fence + 1)
        #expect(try await scene.sql("SELECT worker_deaths FROM submissions") == "0")
        #expect(try await scene.sql("SELECT outcome FROM submission_attempts WHERE fence = 1") == "lapsed")
        withExtendedLifetime(living) {}
    }

    @Test("A worker's name from the database leads to no file outside of the folder")
    func hostileName() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        _ = try await scene.sending(worker: worker)
        try await scene.sql("UPDATE submissions SET lease_worker = '../a.db'")
        #expect(try await scene.claim(worker).count == 1)
        #expect(try await scene.count("submissions") == "1")
    }

    @Test("Files that are not a worker's stay where they are")
    func otherFiles() async throws {
        let scene = try await Scene()
        do { _ = try scene.store.makeWorker() }
        let file = scene.database + ".workers/notes.txt"
        #expect(try await Program("touch", [file]).run().exit == .code(0))
        _ = try scene.store.makeWorker()
        #expect(access(file, F_OK) == 0)
    }

    @Test("A link in the place of the workers' folder is not followed")
    func linkedFolder() async throws {
        let scene = try await Scene()
        let elsewhere = scene.folder.appending("elsewhere"), file = elsewhere + "/1-0123abcd"
        #expect(mkdir(elsewhere, 0o700) == 0)
        #expect(try await Program("touch", [file]).run().exit == .code(0))
        #expect(symlink(elsewhere, scene.database + ".workers") == 0)
        #expect(await code { _ = try scene.store.makeWorker() } == .unsafePath)
        #expect(access(file, F_OK) == 0)
    }

    @Test("A lease leaves no file behind")
    func noLitter() async throws {
        let scene = try await Scene()
        do { _ = try scene.store.makeWorker() }
        let left = try await Program("find", [scene.database + ".workers", "-type", "f"]).run()
        #expect(left.stdout.isEmpty)
    }
}

@Suite struct ExpiryTests {
    @Test("What was never sent in its time is given up: the flow is open again, its secret destroyed")
    func expired() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let flow = try await scene.submittedLogin(lane: "ada")
        scene.clock.turn(by: .seconds(15 * 60) - .milliseconds(1))
        let claimed = try #require(try await scene.claim(worker).first)
        try await scene.settle(claimed, .retry(after: .zero, isUnsent: true))
        scene.clock.turn(by: .milliseconds(1))
        #expect(try await scene.claim(worker).isEmpty)
        #expect(try await scene.store.submission(flow.submissionID)?.state.name == .expired)
        let reopened = try #require(try await scene.store.newestOpenFlow())
        #expect(reopened.id == flow.id)
        #expect(reopened.step == "password")
        #expect(reopened.submissionID != flow.submissionID)
        #expect(reopened.revision == flow.revision + 1)
        #expect(try await scene.count("secrets") == "0")
        #expect(try await scene.store.backlog().waiting == 0)
        #expect(
            try await scene.sql("SELECT what FROM events ORDER BY seq DESC LIMIT 2")
                == "flow reopened\nsubmission expired")
    }

    @Test("A registration that expired leaves no pending person, and can be finished again")
    func registration() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let first = try await scene.submitted()
        scene.clock.turn(by: .seconds(14 * 86400))
        #expect(try await scene.claim(worker).isEmpty)
        #expect(try await scene.store.users().isEmpty)
        let open = try #require(try await scene.store.newestOpenFlow())
        _ = try await scene.store.commit(scene.finish(open))
        let claimed = try #require(try await scene.claim(worker).first)
        #expect(claimed.id == open.submissionID)
        #expect(claimed.id != first.submissionID)
    }

    @Test("What may have been sent is asked for until its verdict is known, but for a sign-in")
    func maybeSent() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let registration = try await scene.submitted()
        _ = try await scene.submittedLogin(lane: "ada")
        for claimed in try await scene.claim(worker) { try await scene.settle(claimed, .retry()) }
        scene.clock.turn(by: .seconds(30 * 86400))
        #expect(try await scene.claim(worker).map(\.id) == [registration.submissionID])
        #expect(try await scene.sql("SELECT state FROM submissions WHERE kind = 'login'") == "expired")
    }

    @Test("What is parked holds up its lane no longer than it lives")
    func parked() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        _ = try await scene.submittedLogin(lane: "ada")
        let claimed = try #require(try await scene.claim(worker).first)
        try await scene.settle(claimed, .parked(reason: "no", isUnsent: true))
        scene.clock.turn(by: .seconds(3600))
        let next = try await scene.submittedLogin(lane: "ada")
        #expect(try await scene.claim(worker).map(\.id) == [next.submissionID])
    }
}
