/// The people in the store.
public protocol UserRepository: Sendable {
    /// Everybody, in the order in which they came.
    func users() async throws(StoreError) -> Listing<User>

    /// The person with that identifier; nil when there is none.
    func user(_ id: UUIDv7) async throws(StoreError) -> User?

    /// The people with that e-mail address, in any case: whether it is taken, the network alone knows.
    func users(email: String) async throws(StoreError) -> [User]

    /// Adds people whom an app knows already, all of them or none.
    /// - Throws: `alreadyThere` when an identifier, in this store or at the network, is taken.
    func add(_ users: [User]) async throws(StoreError)
}

/// The people as the library itself works with them.
package protocol UserStorage: UserRepository {
    /// The only person who is called `name`: by their identifier, or by their whole user name or e-mail address in any
    /// case.
    /// - Parameter match: how much of the identifier is enough. A whole identifier means nobody else.
    /// - Throws: `notFound`; `ambiguous`, whose message lists the identifiers of those it could be.
    func user(named name: String, matching match: IdentifierMatch) async throws(StoreError) -> User
}
