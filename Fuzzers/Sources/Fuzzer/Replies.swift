import FoyerModel

@testable import FoyerMockNetwork
@testable import FoyerSync

/// What the other side of the wire says: a head, a body, a submission, a key.
@Sendable func fuzzReplies(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let task = input.one(of: [ClaimedSubmission.Task.submit, .askOutcome, .cancel])
    let status = input.one(of: [200, 201, 202, 302, 400, 401, 403, 404, 409, 410, 422, 429, 500, 503, Int.min])
    let type = input.one(of: [nil, "application/json", "application/problem+json; charset=utf-8", "text/html"])
    let head = input.line(), retryAfter = input.line(), body = input.bytes()
    fuzzHead(head)
    let reply = NetworkReply(
        status: status, body: body, contentType: type, retryAfter: String(decoding: retryAfter, as: UTF8.self),
        date: String(decoding: head, as: UTF8.self))
    let meaning = ReplyClassifier.classify(.success(reply), to: task)
    switch meaning {
    case .verdict(.accepted(let id)): promise([200, 201].contains(status) && id != "", "accepted by \(status)")
    case .verdict(.rejected(let fields)): promise(!fields.isEmpty && status >= 400, "rejected by \(status)")
    case .parked: promise(task == .submit, "a question is never parked")
    default: break
    }
    if let wait = RetryAfter.wait(reply) { promise((.zero...RetryAfter.longest).contains(wait), "waits for \(wait)") }
    fuzzSubmission(body)
    _ = SealingKey(json: body)
}

private func fuzzHead(_ line: [UInt8]) {
    var head = ReplyHead()
    for part in line.split(separator: 0x0D, omittingEmptySubsequences: false) {
        _ = (part + [0x0D, 0x0A]).withUnsafeBytes { head.take($0) }
    }
    promise((0...999).contains(head.status), "the status is \(head.status)")
}

/// What the server reads is what the client wrote.
private func fuzzSubmission(_ body: [UInt8]) {
    _ = WireRequest(Secret(utf8: body))
    let text = String(decoding: body, as: UTF8.self)
    let stored = SubmissionBody.stored(fields: ["user_name": text])
    let sent = SubmissionBody.sent(stored, plainSecrets: ["password": Secret(text)])
    // The decoder takes no zero byte, but the writer escapes it.
    guard let read = WireRequest(sent), case .plain(let secret) = read.secrets["password"] else {
        return promise(false, "the server cannot read what was sent")
    }
    promise(read.fields["user_name"].map { $0.utf8.elementsEqual(text.utf8) } == true, "a field arrives as it was")
    promise(secret.withBytes { $0.elementsEqual(text.utf8) }, "a secret arrives as it was")
}
