package import FoyerModel
import FoyerSQLite

extension Repositories: NamedLookup {
    package func user(named name: String, matching match: IdentifierMatch) async throws(StoreError) -> User {
        try await read { db in
            let id = try onlyID(
                """
                SELECT id FROM users
                WHERE id = ?1 OR user_name_key = ?3 OR email_key = ?4 OR (?2 AND substr(id, -length(?1)) = ?1)
                ORDER BY id
                """, UserName.key(name), EmailAddress.key(name), of: "person", named: name, matching: match, in: db)
            return try Users.find(id, in: db).orNotFound("person", id)
        }
    }

    package func flow(named name: String, matching match: IdentifierMatch) async throws(StoreError) -> SavedFlow {
        try await read { [vault] db in
            let id = try onlyID(
                "SELECT id FROM flows WHERE id = ?1 OR (?2 AND substr(id, -length(?1)) = ?1) ORDER BY id",
                of: "flow", named: name, matching: match, in: db)
            return try Flows.findWhole(id, with: vault, in: db).orNotFound("flow", id)
        }
    }

    package func submission(
        named name: String, matching match: IdentifierMatch
    ) async throws(StoreError) -> Submission {
        try await read { db in
            let id = try onlyID(
                "SELECT id FROM submissions WHERE id = ?1 OR (?2 AND substr(id, -length(?1)) = ?1) ORDER BY id",
                of: "submission", named: name, matching: match, in: db)
            return try Submissions.find(id, in: db).orNotFound("submission", id)
        }
    }
}

/// The only identifier that `sql` finds for a name, which is its parameter 1; its parameter 2 says whether that may be
/// the ending of an identifier. A whole identifier is never ambiguous.
/// - Throws: `notFound`, also for a name that is empty or blank; `ambiguous`.
private func onlyID<each B: Bindable>(
    _ sql: SQL, _ keys: repeat each B, of kind: String, named name: String, matching match: IdentifierMatch,
    in db: Connection
) throws -> UUIDv7 {
    guard !name.allSatisfy(\.isWhitespace) else { throw notFound(kind, match) }
    let ids = try db.rows(sql, name, match.allowsEnding(name), repeat each keys) { try $0.id(0) }
    if let whole = ids.first(where: { $0.text == name }) { return whole }
    guard let id = ids.first else { throw notFound(kind, match) }
    guard ids.count == 1 else {
        let first = ids.prefix(mostListed).map(\.text).joined(separator: ", ")
        throw StoreError(
            .ambiguous,
            "More than one \(kind) could be meant: \(first)\(ids.count > mostListed ? " and others" : ""). "
                + "Give a whole identifier.")
    }
    return id
}

/// How many of those that a name could mean are listed.
private let mostListed = 5

private func notFound(_ kind: String, _ match: IdentifierMatch) -> StoreError {
    let names = kind == "person" ? "user name, e-mail address or identifier" : "identifier"
    return StoreError(.notFound, "There is no \(kind) with that \(names). \(match.hint)")
}
