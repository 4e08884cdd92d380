import CSQLite

extension SQLiteError {
    /// The kind of a failure: one of SQLite's extended result codes, or one of this module's own, which are negative.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// SQLite's extended result code, or a negative number.
        public let rawValue: Int32

        /// Wraps a number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The code without its extension: 5 (busy) for 517 (busy snapshot), and itself for this module's own codes.
        public var primary: Code { rawValue > 0 ? Code(rawValue: rawValue & 0xFF) : self }
    }
}

extension SQLiteError.Code {
    /// Another connection held a lock for longer than we wait.
    public static let busy = Self(rawValue: SQLITE_BUSY)
    /// A statement of this same connection was in the way.
    public static let locked = Self(rawValue: SQLITE_LOCKED)
    /// A rule of the schema was broken; the extended codes tell which.
    public static let constraint = Self(rawValue: SQLITE_CONSTRAINT)
    /// A unique index has that value already.
    public static let uniqueConstraint = Self(rawValue: SQLITE_CONSTRAINT | (8 << 8))
    /// A row with that primary key is there already.
    public static let primaryKeyConstraint = Self(rawValue: SQLITE_CONSTRAINT | (6 << 8))
    /// A foreign key names a row that is not there.
    public static let foreignKeyConstraint = Self(rawValue: SQLITE_CONSTRAINT | (3 << 8))
    /// A CHECK refused the row.
    public static let checkConstraint = Self(rawValue: SQLITE_CONSTRAINT | (1 << 8))
    /// The file is damaged.
    public static let corrupt = Self(rawValue: SQLITE_CORRUPT)
    /// The disk is full.
    public static let full = Self(rawValue: SQLITE_FULL)
    /// The disk or the file system reported an error.
    public static let ioError = Self(rawValue: SQLITE_IOERR)
    /// The file cannot be opened.
    public static let cannotOpen = Self(rawValue: SQLITE_CANTOPEN)
    /// The file or the connection can only be read.
    public static let readOnly = Self(rawValue: SQLITE_READONLY)
    /// The SQL is wrong, or asks for something that is not there.
    public static let error = Self(rawValue: SQLITE_ERROR)
    /// The call is wrong: a number of values that does not fit, more than one statement.
    public static let misuse = Self(rawValue: SQLITE_MISUSE)
    /// SQLite cannot make sense of the file's first page.
    public static let unreadableHeader = Self(rawValue: SQLITE_NOTADB)
    /// A value or a statement is larger than anything that belongs into the file.
    public static let tooBig = Self(rawValue: SQLITE_TOOBIG)

    /// The file is not an SQLite database.
    public static let notADatabase = Self(rawValue: -1)
    /// The file has no byte in it.
    public static let emptyFile = Self(rawValue: -2)
    /// The file is the database of another program.
    public static let foreignDatabase = Self(rawValue: -3)
    /// The file's schema is newer than this program; see `SQLiteError.schemaVersions`.
    public static let newerSchema = Self(rawValue: -4)
    /// The file was made by migrations that no release has: a migration was edited after it had been applied.
    public static let unreleasedSchema = Self(rawValue: -5)
    /// A stored value is not of the type that the program expects.
    public static let corruptValue = Self(rawValue: -6)
    /// The path does not lead to a regular file that is ours to use.
    public static let unsafePath = Self(rawValue: -7)
    /// There is no file.
    public static let notFound = Self(rawValue: -8)
    /// The file could not be made.
    public static let cannotCreate = Self(rawValue: -9)
    /// The database was closed.
    public static let closed = Self(rawValue: -10)
    /// The file's tables, indexes, views or triggers are not those that the migrations make.
    public static let foreignSchema = Self(rawValue: -11)
    /// Others than the file's owner may read or write it.
    public static let unsafePermissions = Self(rawValue: -12)
    /// The open file is not the one of that name any more: it was moved, deleted, replaced or overwritten.
    public static let databaseGone = Self(rawValue: -13)
    /// Somebody has the database open.
    public static let databaseInUse = Self(rawValue: -14)
}

extension SQLiteError.Code {
    /// What a caller can do about a code.
    enum Nature {
        case retryable, conflict, fatal, other
    }

    /// The one place that decides it.
    var nature: Nature {
        switch primary {
        case .busy, .locked: .retryable
        case .constraint: .conflict
        case .corrupt, .full, .ioError, .cannotOpen, .unreadableHeader, Self(rawValue: SQLITE_NOMEM): .fatal
        case .notADatabase, .emptyFile, .foreignDatabase, .newerSchema, .unreleasedSchema, .unsafePath, .foreignSchema,
            .unsafePermissions, .databaseGone:
            .fatal
        default: .other
        }
    }

    /// What to do about one of SQLite's own codes.
    var advice: String {
        switch primary {
        case .busy, .locked: "Another process or task is writing; try again."
        case .constraint: "The row breaks a rule of the schema; nothing was changed."
        case .corrupt, .unreadableHeader: "The file is damaged; keep a copy of it and restore a backup."
        case .full: "The disk is full; make room and try again."
        case .ioError: "The disk reported an error; close the database, check the disk, open it again."
        case .cannotOpen: "The file cannot be opened; check that it and its folder can be read and written."
        case .readOnly: "Only reading is possible here; check the permissions, or use a write."
        case .tooBig: "A value is larger than any of ours; another program has put it there, or it was never checked."
        case .error, .misuse: "This is a mistake in the program; please report it."
        default: "Please report it if it happens again."
        }
    }
}
