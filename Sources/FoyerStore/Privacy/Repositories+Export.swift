package import FoyerModel
import FoyerSQLite

extension Repositories {
    /// Everything about a person; never a secret.
    ///
    /// It is what `erase` would take out.
    /// - Throws: `notFound`; `corrupt` when a row cannot be read.
    package func personalData(of id: UUIDv7) async throws(StoreError) -> PersonalData {
        try await read { [vault] db in
            let rows = try PersonRows(id, in: db)
            return PersonalData(
                user: try Users.find(id, in: db).orNotFound("person", id),
                flows: try rows.flows.compactMap(UUIDv7.init(_:)).compactMap {
                    try Flows.findWhole($0, with: vault, in: db)
                },
                submissions: try rows.submissions.compactMap(UUIDv7.init(_:)).compactMap {
                    try sentData(of: $0, in: db)
                },
                events: try events(about: [id.text] + rows.flows + rows.submissions, in: db))
        }
    }
}

private func sentData(of id: UUIDv7, in db: Connection) throws -> PersonalData.SentData? {
    guard let submission = try Submissions.find(id, in: db) else { return nil }
    let body = try db.first("SELECT body FROM submissions WHERE id = ?", id.text) { try $0.text(0) }
    return PersonalData.SentData(
        submission: submission, body: body ?? "", attempts: try Submissions.attempts(of: id, in: db))
}

private func events(about names: [String], in db: Connection) throws -> [JournalEntry] {
    var entries: Set<JournalEntry> = []
    for name in names {
        entries.formUnion(
            try db.rows(Events.about, name, decode: JournalEntry.init(row:)))
    }
    return entries.sorted { $0.seq < $1.seq }
}
