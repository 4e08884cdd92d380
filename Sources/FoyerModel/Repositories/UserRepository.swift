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
