extension Database {
    /// Which file to open, and how.
    public struct Configuration: Sendable {
        /// The path of the file; only its folder may be reached through links.
        public var path: String
        /// The number that marks files of this program.
        public var applicationID: Int32
        /// The schema's history, from version 1 on.
        public var migrations: [Migration]
        /// Whether to make the file, and its folder, if there is none.
        public var createIfMissing: Bool
        /// How many connections read at the same time; at least one.
        public var readers: Int
        /// Told the version of each migration before it is applied.
        public var willMigrate: @Sendable (_ version: Int) -> Void = { _ in }

        /// How long to wait for other connections.
        var busyTimeout = Duration.seconds(5)
        /// The length of the log, in pages, that calls for a checkpoint.
        var checkpointPages = 1000
        /// Told about each step of making a file.
        var creationStep: (@Sendable (Creation.Step) -> Void)?

        /// Makes a configuration.
        public init(
            path: String, applicationID: Int32, migrations: [Migration], createIfMissing: Bool = true, readers: Int = 2
        ) {
            self.path = path
            self.applicationID = applicationID
            self.migrations = migrations
            self.createIfMissing = createIfMissing
            self.readers = readers
        }
    }
}
