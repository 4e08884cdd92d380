import FoyerModel

@testable import FoyerStore

/// What lies sealed in the database: nothing but what was written there opens, and nothing else happens.
@Sendable func fuzzBoxes(_ bytes: [UInt8]) {
    guard let key = try? [UInt8](repeating: 7, count: DeviceKey.size).withUnsafeBytes({ try DeviceKey(copying: $0) })
    else { return promise(false, "no key") }
    var input = Input(bytes)
    let length = input.choice(256) * 4, edits = input.line()
    let secret = input.bytes()
    promise(!opens(bytes, key), "made-up bytes opened")

    let text = Secret(utf8: secret.prefix(length))
    let box = SealedBox.seal(text, under: key, at: place)
    let back = try? SealedBox.open(box, with: key, at: place)
    promise(back.map { $0.withBytes { Array($0) } == Array(secret.prefix(length)) } == true, "it opens as it was")
    let damaged = damage(box, by: edits)
    promise(damaged == box || !opens(damaged, key), "a damaged box opened")
    fuzzContent(bytes, Array(secret.prefix(length)))
}

private let place = SealedBox.Place(store: "s", table: "secrets", column: "box", row: "r", version: 1)

private func opens(_ box: [UInt8], _ key: DeviceKey) -> Bool {
    (try? SealedBox.open(box, with: key, at: place)) != nil
}

/// Each pair of bytes changes one byte; an odd one at the end cuts the box.
private func damage(_ box: [UInt8], by edits: [UInt8]) -> [UInt8] {
    var box = box
    for start in stride(from: 0, to: edits.count - 1, by: 2) { box[Int(edits[start]) % box.count] ^= edits[start + 1] }
    return edits.count.isMultiple(of: 2) ? box : Array(box.prefix(Int(edits[edits.count - 1])))
}

/// The inside of a box for the server: what is read is what would be written.
private func fuzzContent(_ bytes: [UInt8], _ secret: [UInt8]) {
    let blocks = bytes + [UInt8](repeating: 0, count: (256 - bytes.count % 256) % 256)
    for plain in [bytes, blocks] {
        guard let content = SealedContent(plain: Secret(utf8: plain)) else { continue }
        promise(content.plain.withBytes { Array($0) } == plain, "it is written as it was read")
    }
    guard let flow = UUIDv7("01920000-0000-7000-8000-000000000000"),
        let text = String(validating: secret, as: UTF8.self)
    else { return }
    let content = SealedContent(
        audience: text, flowID: flow, field: text, issuedAt: Timestamp(milliseconds: 0), secret: Secret(text))
    let read = SealedContent(plain: content.plain)
    promise(read?.audience == text && read?.field == text, "what it is bound to is read back")
    promise(read.map { $0.secret.withBytes { Array($0) } == secret } == true, "the secret is read back")
}
