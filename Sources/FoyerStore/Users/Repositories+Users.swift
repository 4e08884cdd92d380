package import FoyerModel
package import FoyerSQLite

extension Repositories: UserRepository {
    package func users() async throws(StoreError) -> Listing<User> {
        try await read { db in
            try Users.reader.list(Users.all, in: db, orElse: { $0.id.text < $1.id.text })
        }
    }

    // Finding a row is shorter than the way to another thread.
    package func user(_ id: UUIDv7) throws(StoreError) -> User? {
        try query { db in try Users.find(id, in: db) }
    }

    package func users(email: String) throws(StoreError) -> [User] {
        try query { db in
            try db.rows(Users.byEmail, EmailAddress.key(email), decode: User.init(row:))
        }
    }

    package func add(_ users: [User]) async throws(StoreError) {
        try await write { db in
            do {
                for user in users { try Users.insert(user, in: db) }
            } catch let error as SQLiteError where error.isConflict {
                throw StoreError(
                    .alreadyThere, "Somebody with one of these identifiers is in the store; nobody was added.",
                    cause: error)
            }
        }
    }
}

/// The statements on `users` that several transactions share.
package enum Users {
    private static let columns: SQL = """
        id, remote_id, email, user_name, first_name, last_name, status, created_at, updated_at
        """
    static let all: SQL = "SELECT \(columns) FROM users ORDER BY id"
    static let byEmail: SQL = "SELECT \(columns) FROM users WHERE email_key = ? ORDER BY id"
    static let byRowID: SQL = "SELECT \(columns) FROM users WHERE rowid = ?"
    private static let byID: SQL = "SELECT \(columns) FROM users WHERE id = ?"

    static func find(_ id: UUIDv7, in db: Connection) throws -> User? {
        try db.first(byID, id.text, decode: User.init(row:))
    }

    package static func insert(_ user: User, in db: Connection) throws {
        try db.run(
            """
            INSERT INTO users (id, remote_id, email, email_key, user_name, user_name_key, first_name, last_name,
                status, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            user.id.text, user.remoteID, user.email, user.emailKey, user.userName, user.userNameKey, user.firstName,
            user.lastName, user.status.rawValue, user.createdAt.description, user.updatedAt.description)
    }

    /// Takes a person out whom the network has not accepted; what refers to the row forgets it.
    static func removePending(_ id: UUIDv7, in db: Connection) throws {
        try db.run("DELETE FROM users WHERE id = ? AND status = 'pending'", id.text)
    }
}

extension User {
    /// Decodes `id, remote_id, email, user_name, first_name, last_name, status, created_at, updated_at`.
    init(row: Row) throws {
        self.init(
            id: try row.id(0), remoteID: try row.textOrNil(1), email: try row.textOrNil(2),
            userName: try row.textOrNil(3), firstName: try row.textOrNil(4), lastName: try row.textOrNil(5),
            status: try row.choice(6), createdAt: try row.timestamp(7), updatedAt: try row.timestamp(8))
    }
}
