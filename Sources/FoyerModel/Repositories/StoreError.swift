/// What a repository could not do, and what to do about it.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable name for logs and scripts, such as `moved_on`.
        public let rawValue: String

        /// Names a kind of failure.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another process or window has changed the flow: load it again.
        public static let movedOn = Code(rawValue: "moved_on")
        /// The flow has ended, or waits for the network, and takes no answers.
        public static let flowClosed = Code(rawValue: "flow_closed")
        /// Nothing in the store has that identifier.
        public static let notFound = Code(rawValue: "not_found")
        /// Several rows could be meant; the message lists their identifiers.
        public static let ambiguous = Code(rawValue: "ambiguous")
        /// What is to be added has an identifier that is taken.
        public static let alreadyThere = Code(rawValue: "already_there")
        /// Another process holds the database for too long.
        public static let busy = Code(rawValue: "busy")
        /// There is no room left for writing.
        public static let diskFull = Code(rawValue: "disk_full")
        /// The database cannot be written.
        public static let readOnly = Code(rawValue: "read_only")
        /// Reading or writing the file failed.
        public static let ioError = Code(rawValue: "io_error")
        /// The database file is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// A row holds what Foyer never writes: another program has changed it. The others can be used.
        public static let damagedRow = Code(rawValue: "damaged_row")
        /// The file is not a database of Foyer.
        public static let foreignDatabase = Code(rawValue: "foreign_database")
        /// The tables, views or triggers of the database are not those that Foyer makes.
        public static let foreignSchema = Code(rawValue: "foreign_schema")
        /// A newer program has written the database.
        public static let newerSchema = Code(rawValue: "newer_schema")
        /// The database was made by an unreleased version, whose schema no release reads.
        public static let unreleasedSchema = Code(rawValue: "unreleased_schema")
        /// The file must not be used as it lies there.
        public static let unsafePath = Code(rawValue: "unsafe_path")
        /// Others than its owner may read or write the file.
        public static let unsafePermissions = Code(rawValue: "unsafe_permissions")
        /// There is no database yet.
        public static let noDatabase = Code(rawValue: "no_database")
        /// The open database is not the file of that name any more: it was moved, deleted, replaced or overwritten.
        public static let databaseGone = Code(rawValue: "database_gone")
        /// Another program, or another part of this one, has the database open.
        public static let databaseInUse = Code(rawValue: "database_in_use")
        /// The flow is not in the store any more: its person was erased, or it was removed after its time.
        public static let flowGone = Code(rawValue: "flow_gone")
        /// The database cannot be made there.
        public static let cannotCreate = Code(rawValue: "cannot_create")
        /// The key that the secrets are sealed under is not there.
        public static let keyMissing = Code(rawValue: "key_missing")
        /// The key is there and cannot be used before somebody unlocks it, as with a passphrase; nothing was changed.
        public static let keyLocked = Code(rawValue: "key_locked")
        /// The key that is there is another one than that which the secrets are sealed under.
        public static let wrongKey = Code(rawValue: "wrong_key")
        /// The key file must not be used as it lies there.
        public static let unsafeKeyFile = Code(rawValue: "unsafe_key_file")
        /// A sealed value is not the one that was written.
        public static let tampered = Code(rawValue: "tampered")
        /// A secret is past its time, or was given up with its key: its step has to be answered again.
        public static let secretGone = Code(rawValue: "secret_gone")
        /// A text that was to be kept where it can be read is one of the flow's secrets; nothing was written.
        public static let repeatedSecret = Code(rawValue: "repeated_secret")
        /// The network may be acting on it at this moment: it has to be delivered or taken back first.
        public static let inFlight = Code(rawValue: "in_flight")
        /// The store has been closed.
        public static let closed = Code(rawValue: "closed")
        /// Something else went wrong in the database.
        public static let failed = Code(rawValue: "store_failed")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, in one or two sentences without any value of a person.
    public let message: String
    /// What helps, where the program can offer it.
    public let recovery: Recovery?
    /// The error underneath, for a log.
    public let cause: (any Error)?

    /// Makes an error.
    public init(_ code: Code, _ message: String, recovery: Recovery? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.recovery = recovery
        self.cause = cause
    }

    /// The flow has ended, or waits for the network.
    public static func closed(_ status: SavedFlow.Status) -> StoreError {
        StoreError(.flowClosed, "This flow is \(status.rawValue) and takes no more answers.")
    }

    /// The flow was erased, or removed after its time.
    public static let flowGone = StoreError(
        .flowGone, "This was erased from the store meanwhile, and nothing of it is saved. Begin a new one.")

    public var description: String { message }

    /// Whether trying again without any change can help.
    public var isRetryable: Bool { code == .busy }
    /// Whether somebody else was faster.
    public var isConflict: Bool { [.movedOn, .flowClosed, .inFlight].contains(code) }
    /// Whether the store cannot be used before somebody has mended something.
    ///
    /// `databaseGone` is none: once the file is back, the same call succeeds.
    public var isFatal: Bool {
        [
            .corrupt, .foreignDatabase, .foreignSchema, .newerSchema, .unreleasedSchema, .unsafePath,
            .unsafePermissions,
            .ioError, .diskFull, .readOnly,
        ].contains(code)
    }
}
