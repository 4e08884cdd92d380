import FoyerModel

/// Whether the key is there, and opens what only the store's own key opens.
struct KeyCheck: Sendable {
    /// What ties the store to its key; nil where nothing was sealed yet.
    let tie: Vault.Tie?

    func finding(for provider: any KeyProvider, database: String) async -> Finding {
        do throws(StoreError) {
            try Repositories.keepApart(database: database, provider)
        } catch {
            let file = provider.file ?? ""
            return .problem(.key, error.message, repair: "Run: chmod 700 a new folder, and mv '\(file)' into it.")
        }
        guard let tie else { return .fine(.key, "no secret was sealed yet") }
        let vault = Vault(provider: provider, clock: QueueClock(environment: .system), environment: .system)
        do throws(StoreError) {
            do throws(StoreError) {
                _ = try vault.identity(of: tie)
            } catch {
                guard error.code == .keyLocked else { throw error }
                try await vault.unlock(since: vault.unlockCount)
                _ = try vault.identity(of: tie)
            }
            return .fine(.key, "the \(provider.title) is the store's")
        } catch {
            return .problem(.key, error.message, repair: Self.repair(error.code), recovery: error.recovery)
        }
    }

    private static func repair(_ code: StoreError.Code) -> String {
        switch code {
        case .keyMissing: "Bring it back, or name where it is."
        case .wrongKey: "Name the right one."
        case .keyLocked: "Try again where somebody can be asked for it."
        default: "Put the key right as it says there."
        }
    }
}
