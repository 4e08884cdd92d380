/// A person in the store.
public struct User: Hashable, Sendable, Identifiable {
    /// How far the network has confirmed a person.
    public enum Status: String, CaseIterable, Sendable {
        /// The registration is on its way; the network has not decided yet.
        case pending
        /// The network has accepted the account.
        case active
    }

    /// The identifier in this store.
    public let id: UUIDv7
    /// The identifier at the network; nil until it has accepted the account.
    public var remoteID: String?
    /// The e-mail address as it was typed, trimmed and normalised.
    public var email: String?
    /// The user name as it was typed, trimmed.
    public var userName: String?
    /// The first name, normalised.
    public var firstName: String?
    /// The last name, normalised.
    public var lastName: String?
    /// How far the network has confirmed this person.
    public var status: Status
    /// When the row was made.
    public let createdAt: Timestamp
    /// When the row was last changed.
    public var updatedAt: Timestamp

    /// Makes a person; everything that a form may leave open is nil unless given.
    public init(
        id: UUIDv7, remoteID: String? = nil, email: String? = nil, userName: String? = nil, firstName: String? = nil,
        lastName: String? = nil, status: Status, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.remoteID = remoteID
        self.email = email
        self.userName = userName
        self.firstName = firstName
        self.lastName = lastName
        self.status = status
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// What addresses are compared by: the e-mail address in ASCII lower case.
    public var emailKey: String? { email.map(EmailAddress.key) }

    /// What user names are compared by: the user name in lower case, full-width forms as plain ones.
    public var userNameKey: String? { userName.map(UserName.key) }
}
