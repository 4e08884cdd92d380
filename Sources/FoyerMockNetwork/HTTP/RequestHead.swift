/// The request line and the headers, checked.
struct RequestHead {
    let request: HTTPRequest
    let length: Int
    let expectsContinue: Bool

    init(_ lines: [ArraySlice<UInt8>], _ limits: HTTPLimits) throws(HTTPRefusal) {
        let (method, target, isOld) = try Self.requestLine(lines.first ?? [])
        var headers: [HTTPRequest.Header] = []
        for line in lines.dropFirst() { headers.append(try Self.header(line)) }
        let options = Self.connectionOptions(headers)
        request = HTTPRequest(
            method: method, target: target, headers: headers,
            keepsAlive: !options.contains("close") && (!isOld || options.contains("keep-alive")))
        guard isOld || request.values("host").count == 1 else { throw .malformed("one Host header is needed") }
        length = try Self.length(request)
        guard length <= limits.body else { throw .bodyTooLong(limits.body) }
        switch request.values("expect") {
        case []: expectsContinue = false
        case let values where values.count == 1 && values[0].lowercased() == "100-continue":
            // A client of HTTP/1.0 would take the interim answer for the answer.
            expectsContinue = length > 0 && !isOld
        default: throw .badExpectation
        }
    }

    private static func requestLine(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) -> (String, String, isOld: Bool) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), !parts[1].isEmpty,
            parts[1].allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .malformed("the request line is not METHOD TARGET VERSION") }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw version.hasPrefix("HTTP/") ? .badVersion : .malformed("the request line names no version of HTTP")
        }
        return (text(parts[0]), text(parts[1]), version == "HTTP/1.0")
    }

    private static func header(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) -> HTTPRequest.Header {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
            throw .malformed("a header is not NAME: VALUE")
        }
        var value = line[line.index(after: colon)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw .malformed("a header has a control character in it")
        }
        return HTTPRequest.Header(name: text(line[..<colon]).lowercased(), value: text(value))
    }

    private static func connectionOptions(_ headers: [HTTPRequest.Header]) -> Set<String> {
        let values = headers.filter { $0.name == "connection" }.map { $0.value.lowercased() }
        return Set(values.flatMap { $0.split { $0 == "," || $0 == " " || $0 == "\t" } }.map(String.init))
    }

    private static func length(_ request: HTTPRequest) throws(HTTPRefusal) -> Int {
        let lengths = request.values("content-length")
        guard request.values("transfer-encoding").isEmpty else {
            // Who sends both may want two servers to see two different requests.
            throw lengths.isEmpty ? .lengthRequired : .malformed("a body has one length, or none")
        }
        guard let digits = lengths.first else { return 0 }
        guard lengths.count == 1, !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw .malformed("Content-Length is not one number")
        }
        return Int(digits) ?? .max
    }

    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
