import RawSQLite
import TestSupport

/// Statements with their values, for the C side to run.
///
/// `@unchecked Sendable`: it is built by one task, and only read once it is handed on.
final class RawProgram: @unchecked Sendable {
    let pointer = raw_program_make()

    deinit { raw_program_free(pointer) }

    /// Takes statements that were recorded.
    init(recorded range: Range<Int>) throws {
        for index in range {
            guard let sql = raw_recorded_sql(index), let expanded = raw_recorded_expanded(index) else {
                throw Failure("a statement was not recorded")
            }
            raw_program_add(pointer, sql)
            try addValues(of: Array(String(cString: sql).utf8), in: Array(String(cString: expanded).utf8))
        }
    }

    /// Finds the values that stand in one text where the other has its parameters.
    private func addValues(of sql: [UInt8], in expanded: [UInt8]) throws {
        var numbered: Set<Int> = []
        var place = 0, other = 0
        while place < sql.count {
            switch sql[place] {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                let end = Self.endOfQuoted(sql, from: place)
                other += end - place
                place = end
            case UInt8(ascii: "?"):
                let digits = sql[(place + 1)...].prefix { (48...57).contains($0) }
                place += 1 + digits.count
                let literal = try Literal(expanded, at: &other)
                // A numbered one stands several times, and has one value.
                if let number = Int(String(decoding: digits, as: UTF8.self)), !numbered.insert(number).inserted {
                    continue
                }
                add(literal)
            default:
                guard other < expanded.count, sql[place] == expanded[other] else {
                    throw Failure(
                        "a recorded statement is not the one with values: \(String(decoding: sql, as: UTF8.self))")
                }
                place += 1
                other += 1
            }
        }
    }

    private func add(_ literal: Literal) {
        switch literal {
        case .null: raw_program_null(pointer)
        case .integer(let number): raw_program_integer(pointer, number)
        case .text(let bytes):
            bytes.withUnsafeBytes {
                raw_program_text(pointer, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count))
            }
        case .blob(let bytes): raw_program_blob(pointer, bytes, Int32(bytes.count))
        }
    }

    fileprivate static func endOfQuoted(_ bytes: [UInt8], from start: Int) -> Int {
        var place = start + 1
        while place < bytes.count {
            if bytes[place] == bytes[start] {
                guard place + 1 < bytes.count, bytes[place + 1] == bytes[start] else { return place + 1 }
                place += 1
            }
            place += 1
        }
        return bytes.count
    }
}

/// A value as SQLite writes it in place of a parameter.
private enum Literal {
    case null
    case integer(Int64)
    case text([UInt8])
    case blob([UInt8])

    init(_ bytes: [UInt8], at place: inout Int) throws {
        let rest = bytes[place...]
        if rest.starts(with: "NULL".utf8) {
            place += 4
            self = .null
        } else if rest.starts(with: "x'".utf8) {
            let end = RawProgram.endOfQuoted(bytes, from: place + 1)
            let digits = bytes[(place + 2)..<(end - 1)].map { $0 > 57 ? ($0 | 0x20) - 87 : $0 - 48 }
            self = .blob(stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
            place = end
        } else if rest.first == UInt8(ascii: "'") {
            let end = RawProgram.endOfQuoted(bytes, from: place)
            var text: [UInt8] = []
            var index = place + 1
            while index < end - 1 {
                text.append(bytes[index])
                index += bytes[index] == UInt8(ascii: "'") ? 2 : 1
            }
            self = .text(text)
            place = end
        } else {
            let digits = rest.prefix { (48...57).contains($0) || $0 == UInt8(ascii: "-") }
            guard let number = Int64(String(decoding: digits, as: UTF8.self)) else {
                throw Failure("a value of a recorded statement cannot be read")
            }
            self = .integer(number)
            place += digits.count
        }
    }
}

/// A connection of the C side.
///
/// `@unchecked Sendable`: used by one task at a time.
final class RawDatabase: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ path: String, full: Bool = true, queryOnly: Bool = false) throws {
        guard let pointer = raw_open(path, full ? 1 : 0, queryOnly ? 1 : 0) else {
            throw Failure("the C side cannot open \(path)")
        }
        self.pointer = pointer
    }

    deinit { raw_close(pointer) }

    func run(_ program: RawProgram) throws {
        let code = raw_run(pointer, program.pointer)
        guard code == 0 else { throw Failure("the C side ended with \(code)") }
    }

    func checkpoint() throws {
        let code = raw_checkpoint(pointer)
        guard code == 0 else { throw Failure("the C side's checkpoint ended with \(code)") }
    }
}
