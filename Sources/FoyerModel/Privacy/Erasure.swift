/// What came of erasing a person.
public struct Erasure: Sendable, Equatable {
    /// The random subject of the one event that stays; it belongs to nobody.
    public let subject: UUIDv7
    /// How many flows were erased with the person.
    public let flows: Int
    /// How many submissions were erased with the person.
    public let submissions: Int
    /// How many sealed secrets were erased; older copies of the file still hold them.
    public let secrets: Int
    /// That no byte of it is left; nil when the files could not be looked through yet.
    public let proof: ErasureProof?
    /// Why some of it may be left in the files for now; nil when nothing is. The next opening of the store tries again.
    public let remnants: String?

    /// Makes the value.
    public init(
        subject: UUIDv7, flows: Int, submissions: Int, secrets: Int, proof: ErasureProof?, remnants: String?
    ) {
        self.subject = subject
        self.flows = flows
        self.submissions = submissions
        self.secrets = secrets
        self.proof = proof
        self.remnants = remnants
    }
}

/// What was found when the files of a store were looked through, byte by byte, for what was erased.
///
/// The files are the database, its log, the log's index and a journal: no backup, and not what the network keeps.
public struct ErasureProof: Sendable, Equatable {
    /// A file that was looked through.
    public struct File: Sendable, Equatable {
        /// Its path.
        public let path: String
        /// How many bytes it has.
        public let bytes: Int64

        /// Makes the value.
        public init(path: String, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// The files, as they lay there after the erasure.
    public let files: [File]
    /// How many values were looked for: identifiers, names, addresses, sealed secrets.
    public let values: Int
    /// How many of them were found where nobody uses them; 0 is the proof.
    public let hits: Int
    /// What was found because it stands in the rows of others, too, such as a first name; by column, never the value.
    public let stillUsed: [String]
    /// How many values are too short to be told from other bytes; the rows that held them are gone by their identifiers.
    public let tooShort: Int

    /// Makes the value.
    public init(files: [File], values: Int, hits: Int, stillUsed: [String], tooShort: Int) {
        self.files = files
        self.values = values
        self.hits = hits
        self.stillUsed = stillUsed
        self.tooShort = tooShort
    }
}
