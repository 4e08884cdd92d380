import FoyerModel

@testable import FoyerMockNetwork

/// What comes on a connection to the mock server: however the bytes are cut, they are the same requests.
@Sendable func fuzzRequests(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let cut = input.choice(256)
    let rest = input.bytes()
    let whole = events(of: [rest])
    let cuts = stride(from: 0, to: rest.count, by: max(1, cut)).map {
        Array(rest[$0..<min(rest.count, $0 + max(1, cut))])
    }
    promise(events(of: cuts) == whole, "a cut changes what is read")
    for case .request(let request) in whole {
        promise(request.body.count <= HTTPLimits().body, "a body is no longer than it may be")
        do throws(Route.Refusal) {
            let route = try Route(request)
            promise(route.key?.time != nil || request.target.contains("sealing-key"), "a key has its time")
        } catch {
            promise((400..<500).contains(error.response.status), "a refusal is the client's mistake")
        }
    }
}

private func events(of parts: [[UInt8]]) -> [RequestParser.Event] {
    var parser = RequestParser()
    var events: [RequestParser.Event] = []
    for part in parts {
        parser.feed(part)
        reading: while true {
            let event = parser.next()
            switch event {
            case .needsMore: break reading
            case .refused: return events + [event]
            case .expectsContinue, .request: events.append(event)
            }
        }
    }
    return events
}
