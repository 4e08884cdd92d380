import FoyerModel
import FoyerPlatform

/// A key that systemd gives to a service; it can only be read.
struct SystemdCredential: KeyProvider {
    let name: String
    /// Where systemd puts the service's credentials; nil where it gives none.
    var folder = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }

    var title: String { "systemd credential \(name)" }
    var file: String? { nil }

    func state(of _: String?) throws(StoreError) -> KeyState {
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/") else {
            throw StoreError(.unsafeKeyFile, "\"\(name)\" cannot be the name of a systemd credential.")
        }
        guard let folder, folder.hasPrefix("/") else { return .absent }
        let file = KeyFile(path: "\(folder)/\(name)", isCredential: true)
        return try file.load().map(KeyState.available) ?? .absent
    }

    func create() throws(StoreError) {
        throw StoreError(
            .keyMissing,
            "There is no systemd credential \(name); give the unit one of \(DeviceKey.size) random bytes with "
                + "LoadCredentialEncrypted=.")
    }

    func makeNext() throws(StoreError) -> DeviceKey {
        throw StoreError(
            .cannotCreate,
            "Foyer cannot change the systemd credential \(name).", recovery: .replaceKeyAtSource)
    }
}
