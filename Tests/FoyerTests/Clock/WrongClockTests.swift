import Foyer
import FoyerTestSupport
import TestSupport
import Testing

/// Whatever the clocks of the device and of the server show, and whenever: nobody who is half-way is lost.
@Suite(.timeLimit(.minutes(5))) struct WrongClockTests {
    private static let hour: Int64 = 3600, day = 24 * hour, year = 365 * day

    /// Whose clock is wrong, and whether the device is restarted between the stages.
    private enum Wrong: CaseIterable { case device, restartedDevice, server }

    /// What is done while it is wrong.
    private struct Stages {
        var begin = false, finish = false, visit = false, isReachable = false

        static let all = [
            Stages(begin: true), Stages(finish: true), Stages(visit: true), Stages(visit: true, isReachable: true),
            Stages(begin: true, finish: true, visit: true), Stages(finish: true, visit: true, isReachable: true),
        ]
    }

    @Test(
        "After any jump of a clock, back and forth, everybody goes on where they stopped, and is delivered once",
        arguments: [
            -40 * year, -year, -31 * day, -day, -hour, 0, hour, day, 32 * day, year, 10 * year,
        ])
    func table(jump: Int64) async throws {
        for wrong in Wrong.allCases {
            for stages in Stages.all {
                try await run(jump: .seconds(jump), of: wrong, in: stages)
            }
        }
    }

    private func run(jump: Duration, of wrong: Wrong, in stages: Stages) async throws {
        let machine = try Machine()
        let offset = OffsetClock(machine)
        let server = try await ClockedServer(at: machine.folder.appending("server")) { offset.now }
        let guests = Guests(machine: machine, server: server)
        func stage(isWrong: Bool, _ body: () async throws -> Void) async throws {
            let change = isWrong ? jump : .zero
            if wrong == .server { offset.set(change) } else { machine.setTime(by: change) }
            if wrong == .restartedDevice { machine.restart() }
            if wrong != .server { offset.set(.zero - change) }
            try await body()
            machine.pass(.seconds(600))
            if wrong != .server { machine.setTime(by: .zero - change) }
            offset.set(.zero)
            if wrong == .restartedDevice { machine.restart() }
        }
        try await stage(isWrong: stages.begin) { try await guests.begin() }
        try await stage(isWrong: stages.finish) { try await guests.finish() }
        try await stage(isWrong: stages.visit) { try await guests.visit(reachable: stages.isReachable) }
        try await guests.end("jump \(jump), \(wrong), \(stages)")
    }

    @Test(
        "A password in a box for the server that a wrong clock has dated is asked for again, and nothing else is",
        arguments: [-year, 32 * day])
    func box(jump: Int64) async throws {
        let machine = try Machine()
        let offset = OffsetClock(machine)
        let server = try await ClockedServer(at: machine.folder.appending("server")) { offset.now }
        let key = try #require(await server.sealingKey)
        machine.setTime(by: .seconds(jump))
        offset.set(.seconds(-jump))
        try await machine.program(sealingKey: key) { foyer in
            try await foyer.register().answer(contentsOf: ada)
        }
        machine.setTime(by: .seconds(-jump))
        offset.set(.zero)
        try await machine.program(.custom(server), sealingKey: key) { foyer in
            #expect(try await foyer.sync().rejected == 1)
            let flow = try #require(try await foyer.flows.newestOpenFlow())
            let host = try foyer.resume(flow)
            #expect(host.place == "password")
            #expect(flow.answers.compactMap(\.value) == ["ada@example.org", "ada", "Ada", "Lovelace"])
            try await host.answer(ada[2])
            if let review = host.screen, host.place == "review" { _ = try await host.send(.init(for: review, .submit)) }
            #expect(try await foyer.sync().accepted == 1)
        }
        #expect(try await server.addresses() == ["ada@example.org"])
    }
}
