import CSQLite

/// Notices that another program has overwritten the database in place, as `cp` does, which keeps its inode.
///
/// Between two checkpoints nobody writes to the main file, so its header stays as it is. An overwriting that leaves the
/// header as it was, or that a checkpoint covers, is not noticed.
struct OverwriteWatch {
    private var last: Look?

    init(_ first: Look?) { last = first }

    /// Takes a look as the one to compare later ones with.
    /// - Returns: false when the header has changed, and no checkpoint can have changed it.
    mutating func accepts(_ look: Look) -> Bool {
        if let last, !look.marks.tellOfCheckpoint(since: last.marks), look.header != last.header { return false }
        last = look
        return true
    }

    /// The header at a moment when no checkpoint is writing.
    struct Look {
        let marks: CheckpointMarks
        let header: [UInt8]

        /// Nil while a checkpoint is writing, or after one that was cut short: either may change the header.
        init?(at connection: Connection) throws(SQLiteError) {
            guard let marks = CheckpointMarks(of: connection), marks.isAtRest else { return nil }
            header = try connection.headerBytes()
            guard CheckpointMarks(of: connection) == marks else { return nil }
            self.marks = marks
        }
    }
}

/// What the index of the log says about checkpoints.
struct CheckpointMarks: Equatable {
    /// Raised by every commit.
    var change: UInt32 = 0
    /// How many frames the log has.
    var frames: UInt32 = 0
    /// New with every beginning of the log; zero until the first commit of all.
    var salts: UInt64 = 0
    /// How many frames are in the main file.
    var backfilled: UInt32 = 0
    /// How many frames were about to be in the main file.
    var attempted: UInt32 = 0

    var isAtRest: Bool { backfilled == attempted }

    /// Whether there may have been a checkpoint between those marks and these.
    func tellOfCheckpoint(since last: CheckpointMarks) -> Bool {
        guard backfilled == last.backfilled, attempted == last.attempted else { return true }
        if salts == last.salts { return false }
        // The first commit of all gives the log its salts; after it, a checkpoint would show in the other fields.
        return !(last.salts == 0 && change == last.change &+ 1 && frames > 0 && attempted == 0)
    }
}

extension CheckpointMarks {
    /// Nil where the log has no index.
    fileprivate init?(of connection: Connection) {
        var marks = foyer_checkpoint_marks()
        guard let handle = connection.handle, foyer_sqlite3_checkpoint_marks(handle, &marks) != 0 else { return nil }
        self.init(
            change: marks.change, frames: marks.frames, salts: UInt64(marks.salts.0) << 32 | UInt64(marks.salts.1),
            backfilled: marks.backfilled, attempted: marks.attempted)
    }
}
