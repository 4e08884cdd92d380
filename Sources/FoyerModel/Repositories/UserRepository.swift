/// The people in the store.
public protocol UserRepository: Sendable {
    /// Everybody, in the order in which they came.
    func users() async throws(StoreError) -> [User]

    /// The person with that identifier; nil when there is none.
    func user(_ id: UUIDv7) async throws(StoreError) -> User?

    /// The person whose identifier is `text` or is the only one that ends with it.
    /// - Throws: `notFound`, `ambiguous`.
    func user(endingIn text: String) async throws(StoreError) -> User
}
