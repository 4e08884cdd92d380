package import FoyerModel
package import FoyerSQLite

extension Row {
    /// A column that holds an identifier.
    func id(_ column: Int) throws -> UUIDv7 {
        guard let id = try idOrNil(column) else { throw corrupt(column, "holds NULL where an identifier is expected") }
        return id
    }

    func idOrNil(_ column: Int) throws -> UUIDv7? {
        try withText(column) { text throws(SQLiteError) in
            guard let id = UUIDv7(utf8: text) else { throw corrupt(column, "is not an identifier") }
            return id
        }
    }

    /// A column that holds a moment as ISO 8601 text.
    func timestamp(_ column: Int) throws -> Timestamp {
        guard let moment = try timestampOrNil(column) else {
            throw corrupt(column, "holds NULL where a time is expected")
        }
        return moment
    }

    func timestampOrNil(_ column: Int) throws -> Timestamp? {
        try withText(column) { text throws(SQLiteError) in
            guard let moment = Timestamp(utf8: text) else {
                throw corrupt(column, "is not a time such as 2026-11-21T06:54:02.123Z")
            }
            return moment
        }
    }

    /// A column that holds a moment in milliseconds since 1970.
    package func milliseconds(_ column: Int) throws -> Timestamp {
        Timestamp(milliseconds: try integer(column))
    }

    package func millisecondsOrNil(_ column: Int) throws -> Timestamp? {
        try integerOrNil(column).map(Timestamp.init(milliseconds:))
    }

    /// A column that holds the name of one of a type's cases.
    func choice<Choice: RawRepresentable<String>>(_ column: Int) throws -> Choice {
        let text = try text(column)
        guard let choice = Choice(rawValue: text) else { throw corrupt(column, "has an unknown value") }
        return choice
    }
}

extension Optional {
    /// The value, or `notFound` in the words for a `kind` of thing whose identifier is gone.
    func orNotFound(_ kind: String, _ id: some CustomStringConvertible) throws(StoreError) -> Wrapped {
        guard let self else { throw StoreError(.notFound, "There is no \(kind) \(id); it may have been erased.") }
        return self
    }
}
