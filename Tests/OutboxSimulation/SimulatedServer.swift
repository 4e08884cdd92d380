import FoyerModel
import TestSupport

/// The account server of the simulation: it keeps the contract of the wire, and has all the faults that a network has.
struct SimulatedServer {
    /// How the network is for a while.
    enum Weather {
        case fine, flaky, down, captive, overloaded
    }

    /// What is on its way still, although its sender has given up.
    struct Late {
        let submission: Submitted
        let arrives: Duration
    }

    /// What the server sees of a submission, and the simulation knows of it.
    struct Submitted {
        let key: UUIDv7
        let seq: Int64
        let lane: String
    }

    var weather = Weather.fine
    private var answers: [UUIDv7: NetworkReply] = [:]
    /// What was done, in order.
    private(set) var effects: Set<UUIDv7> = []
    private var lastEffect: [String: Int64] = [:]
    private(set) var late: [Late] = []
    /// What went wrong that must never happen.
    private(set) var problems: [String] = []

    typealias Answer = Result<NetworkReply, NetworkFailure>

    mutating func submit(_ submission: Submitted, at moment: Duration, _ random: inout SeededRandom) -> Answer {
        if let fault = fault(&random) { return fault }
        guard weather == .flaky else { return .success(handle(submission, &random)) }
        switch random.below(10) {
        case 0: return .failure(.interrupted("lost on its way"))
        case 1:
            _ = handle(submission, &random)
            return .failure(.interrupted("the answer was lost"))
        case 2:
            late.append(Late(submission: submission, arrives: moment + .seconds(random.below(60))))
            return .failure(.interrupted("slow"))
        case 3: return .failure(.malformed("cut off"))
        case 4: return .success(NetworkReply(status: 202, body: []))
        case 5 where answers[submission.key] == nil && random.isIn(100):
            return .success(NetworkReply(status: 400, body: []))
        default: return .success(handle(submission, &random))
        }
    }

    mutating func cancel(_ key: UUIDv7, _ random: inout SeededRandom) -> Answer {
        if let fault = fault(&random) { return fault }
        let answer: NetworkReply
        if let known = answers[key] {
            answer = known == Self.taken ? Self.tookBack : known
        } else {
            answers[key] = Self.taken
            answer = Self.tookBack
        }
        return weather == .flaky && random.isIn(200) ? .failure(.interrupted("the answer was lost")) : .success(answer)
    }

    mutating func outcome(of key: UUIDv7, _ random: inout SeededRandom) -> Answer {
        fault(&random) ?? .success(answers[key] ?? NetworkReply(status: 404, body: []))
    }

    /// Lets arrive what was on its way for so long.
    mutating func arrive(at moment: Duration, _ random: inout SeededRandom) {
        let arriving = late.filter { $0.arrives <= moment }
        guard !arriving.isEmpty else { return }
        late.removeAll { $0.arrives <= moment }
        for one in arriving { _ = handle(one.submission, &random) }
    }

    private mutating func fault(_ random: inout SeededRandom) -> Answer? {
        switch weather {
        case .fine, .flaky: nil
        case .down: .failure(.unreachable("no route"))
        case .captive: .success(NetworkReply(status: 200, body: Array("<html>".utf8), contentType: "text/html"))
        case .overloaded:
            switch random.below(4) {
            case 0: .success(NetworkReply(status: 429, body: [], retryAfter: "\(random.below(120))"))
            case 1: .success(NetworkReply(status: 503, body: []))
            case 2: .success(NetworkReply(status: 500, body: []))
            default: .failure(.untrusted("expired"))
            }
        }
    }

    /// Key, effect and answer in one step, as the contract has it.
    private mutating func handle(_ submission: Submitted, _ random: inout SeededRandom) -> NetworkReply {
        if let known = answers[submission.key] { return known }
        let accepted = Self.reply(201, #"{"schema":1,"verdict":"accepted","user":{"id":"\#(submission.key)"}}"#)
        let answer = random.isIn(850) ? accepted : Self.refused
        answers[submission.key] = answer
        guard answer == accepted else { return answer }
        effects.insert(submission.key)
        if let last = lastEffect[submission.lane], last >= submission.seq {
            problems.append("\(submission.seq) took effect after \(last) of its lane")
        }
        lastEffect[submission.lane] = submission.seq
        return answer
    }

    private static func reply(_ status: Int, _ body: String) -> NetworkReply {
        NetworkReply(status: status, body: Array(body.utf8))
    }

    private static let refused = reply(409, #"{"errors":[{"field":"user_name","code":"taken"}]}"#)
    private static let taken = reply(409, #"{"type":"/problems/cancelled"}"#)
    private static let tookBack = reply(200, #"{"schema":1,"verdict":"cancelled"}"#)
}
