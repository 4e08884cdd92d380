/// Ends the program, so that libFuzzer keeps the input, where what always has to hold does not.
func promise(_ holds: Bool, _ what: @autoclosure () -> String, line: Int = #line) {
    if !holds { fatalError("line \(line): broken: \(what())") }
}

/// The bytes of an input, taken away from its front.
struct Input {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// A choice among `count` things, from the next byte.
    mutating func choice(_ count: Int) -> Int { Int(rest.popFirst() ?? 0) % count }

    /// One of these, by the next byte.
    mutating func one<Value>(of values: [Value]) -> Value { values[choice(values.count)] }

    /// The bytes up to the next line's end, which is taken away too.
    mutating func line() -> [UInt8] {
        let line = Array(rest.prefix { $0 != 0x0A })
        rest = rest.dropFirst(line.count + 1)
        return line
    }

    /// All that is left.
    mutating func bytes() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
