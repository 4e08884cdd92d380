import FoyerModel

extension Exchanges {
    /// Answers as the fault says; whether the connection can be used on.
    func misbehave(
        _ fault: Fault.Action, _ route: Route, _ request: HTTPRequest, on connection: HTTPConnection
    ) -> Bool {
        switch fault {
        // Without any effect.
        case .status(let status, let retryAfter):
            let reply = NetworkReply(scripted: "The server was told to answer \(status)", status)
            var response = HTTPResponse(reply)
            if let retryAfter { response.headers.append(("Retry-After", retryAfter)) }
            // After an interim status the client waits for another answer, which will not come.
            return send(response, to: request, on: connection) && status >= 200
        case .html:
            let page = Array("<!doctype html><title>Welcome</title><p>Please sign in to this network.</p>\n".utf8)
            return send(
                HTTPResponse(status: 200, "text/html; charset=utf-8", body: page), to: request, on: connection)
        case .garbage:
            connection.write([0, 1, 2, 0xFF, 0xFE] + Array("this is not HTTP\r\n\r\n".utf8))
        case .huge(let size): return sendHuge(size, on: connection)
        case .hang: connection.waitForEnd()
        case .fin: break
        case .rst: connection.resetAtClose()

        // With the effect.
        case .delay(let time):
            connection.wait(time)
            return send(response(to: route), to: request, on: connection)
        case .lost: _ = response(to: route)
        case .twice:
            let bytes = response(to: route).bytes(at: now)
            return connection.write(bytes + bytes)
        case .truncate(let count):
            var answer = response(to: route)
            let whole = answer.body.count
            answer.body = Array(answer.body.prefix(max(0, min(count, whole - 1))))
            connection.write(answer.bytes(at: now, length: whole))
        case .halfHeader:
            let bytes = response(to: route).bytes(at: now)
            connection.write(Array(bytes.prefix(40)))
        case .drip(let pause):
            for byte in response(to: route).bytes(at: now, closing: true) {
                connection.wait(pause)
                guard connection.write([byte]) else { break }
            }
        }
        return false
    }

    /// Writes a body in parts, so that it takes no memory here.
    private func sendHuge(_ size: Int, on connection: HTTPConnection) -> Bool {
        let answer = HTTPResponse(status: 200, "application/json", body: [])
        guard connection.write(answer.bytes(at: now, length: size)) else { return false }
        let part = [UInt8](repeating: UInt8(ascii: " "), count: 64 * 1024)
        var left = size
        while left > 0 {
            guard connection.write(left < part.count ? Array(part.prefix(left)) : part) else { return false }
            left -= part.count
        }
        return true
    }
}
