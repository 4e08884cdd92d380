import FoyerModel
import FoyerSQLite

/// How the rows of a table are read so that one that is damaged keeps none of the others from being listed.
struct TableReader<Element: Sendable>: Sendable {
    let table: String
    /// Where the row's identifier stands among the columns that are decoded.
    let idColumn: Int
    let decode: @Sendable (Row) throws -> Element
    /// The numbers of all rows, without a look into them.
    let numbers: SQL
    /// The row with a number.
    let row: SQL
    /// Each column of the row with a number, by itself.
    let columns: [(name: String, sql: SQL)]

    /// What a query finds, with its own order.
    func list<each B: Bindable>(
        _ sql: SQL, _ values: repeat each B, in db: Connection, orElse order: (Element, Element) -> Bool,
        where isListed: (Element) -> Bool = { _ in true }
    ) throws -> Listing<Element> {
        do {
            var damaged: [DamagedRow] = []
            let found = try db.rows(sql, repeat each values) { row in try element(row, &damaged) }
            return Listing(found.compactMap { $0 }, damaged: damaged)
        } catch let error as SQLiteError where error.code.primary == .tooBig {
            // A value that is too large ends a query, and does not tell in which row.
            let all = try listEach(in: db)
            return Listing(all.elements.filter(isListed).sorted(by: order), damaged: all.damaged)
        }
    }

    /// Every row of the table by itself.
    func listEach(in db: Connection) throws -> Listing<Element> {
        var damaged: [DamagedRow] = [], found: [Element] = []
        for number in try db.rows(numbers, decode: { try $0.integer(0) }) {
            do {
                if let element = try db.first(row, number, decode: { try element($0, &damaged) }) ?? nil {
                    found.append(element)
                }
            } catch let error as SQLiteError where error.code.primary == .tooBig {
                damaged.append(try tooLarge(number, in: db))
            }
        }
        return Listing(found, damaged: damaged)
    }

    private func element(_ row: Row, _ damaged: inout [DamagedRow]) throws -> Element? {
        do {
            return try decode(row)
        } catch let error as SQLiteError where error.code == .corruptValue {
            damaged.append(
                DamagedRow(table: table, row: (try? row.text(idColumn)) ?? "with a damaged id", column: error.column))
            return nil
        }
    }

    private func tooLarge(_ number: Int64, in db: Connection) throws -> DamagedRow {
        var row = "number \(number)", column: String?
        for (name, sql) in columns {
            do {
                let text = try db.first(sql, number) { try? $0.text(0) } ?? nil
                if name == "id", let text { row = text }
            } catch let error as SQLiteError where error.code.primary == .tooBig {
                column = column ?? name
            }
        }
        return DamagedRow(table: table, row: row, column: column)
    }
}

extension Users {
    static let reader = TableReader(
        table: "users", idColumn: 0, decode: User.init(row:), numbers: "SELECT rowid FROM users",
        row: Users.byRowID,
        columns: [
            ("id", "SELECT id FROM users WHERE rowid = ?"), ("email", "SELECT email FROM users WHERE rowid = ?"),
            ("remote_id", "SELECT remote_id FROM users WHERE rowid = ?"),
            ("user_name", "SELECT user_name FROM users WHERE rowid = ?"),
            ("first_name", "SELECT first_name FROM users WHERE rowid = ?"),
            ("last_name", "SELECT last_name FROM users WHERE rowid = ?"),
            ("created_at", "SELECT created_at FROM users WHERE rowid = ?"),
            ("updated_at", "SELECT updated_at FROM users WHERE rowid = ?"),
        ])
}

extension Flows {
    static let reader = TableReader(
        table: "flows", idColumn: 0, decode: SavedFlow.init(row:), numbers: "SELECT rowid FROM flows",
        row: Flows.byRowID,
        columns: [
            ("id", "SELECT id FROM flows WHERE rowid = ?"), ("path", "SELECT path FROM flows WHERE rowid = ?"),
            ("fingerprint", "SELECT fingerprint FROM flows WHERE rowid = ?"),
            ("step", "SELECT step FROM flows WHERE rowid = ?"),
            ("refused", "SELECT refused FROM flows WHERE rowid = ?"),
            ("endpoint", "SELECT endpoint FROM flows WHERE rowid = ?"),
            ("submission_id", "SELECT submission_id FROM flows WHERE rowid = ?"),
            ("created_at", "SELECT created_at FROM flows WHERE rowid = ?"),
            ("updated_at", "SELECT updated_at FROM flows WHERE rowid = ?"),
            ("expires_at", "SELECT expires_at FROM flows WHERE rowid = ?"),
        ])
}

extension Submissions {
    /// Without why each waits: that comes from a view, which looks at other rows, too.
    static let reader = TableReader(
        table: "submissions", idColumn: 1, decode: Submission.init(row:), numbers: "SELECT seq FROM submissions",
        row: "SELECT \(ownColumns), NULL FROM submissions WHERE seq = ?",
        columns: [
            ("id", "SELECT id FROM submissions WHERE seq = ?"),
            ("endpoint", "SELECT endpoint FROM submissions WHERE seq = ?"),
            ("lane", "SELECT lane FROM submissions WHERE seq = ?"),
            ("reason", "SELECT reason FROM submissions WHERE seq = ?"),
            ("last_error", "SELECT last_error FROM submissions WHERE seq = ?"),
            ("created_at", "SELECT created_at FROM submissions WHERE seq = ?"),
            ("settled_at", "SELECT settled_at FROM submissions WHERE seq = ?"),
        ])
}
