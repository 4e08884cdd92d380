import FoyerModel
import FoyerSQLite

extension StoreError {
    /// Puts an error of the database into the repositories' words.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLiteError: self.init(Self.code(of: error), error.message, cause: error)
        default: self.init(.failed, "The store failed in an unexpected way.", cause: error)
        }
    }

    private static func code(of error: SQLiteError) -> Code {
        switch error.code {
        case .notADatabase, .emptyFile, .foreignDatabase: .foreignDatabase
        case .newerSchema: .newerSchema
        case .unreleasedSchema: .unreleasedSchema
        case .corruptValue: .damagedRow
        case .foreignSchema: .foreignSchema
        case .unsafePath: .unsafePath
        case .unsafePermissions: .unsafePermissions
        case .notFound: .noDatabase
        case .databaseGone: .databaseGone
        case .databaseInUse: .databaseInUse
        case .cannotCreate: .cannotCreate
        case .closed: .closed
        default: primaryCode(of: error)
        }
    }

    private static func primaryCode(of error: SQLiteError) -> Code {
        switch error.code.primary {
        case .busy, .locked: .busy
        case .corrupt, .unreadableHeader: .corrupt
        case .tooBig: .damagedRow
        case .full: .diskFull
        case .readOnly: .readOnly
        case .ioError, .cannotOpen: .ioError
        default: .failed
        }
    }
}
