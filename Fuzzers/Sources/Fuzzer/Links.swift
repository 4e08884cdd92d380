import FoyerModel

@testable import FoyerFlow
@testable import FoyerSync

/// Addresses: a link into the program, and where an account server is. What is read is written as it would be read.
@Sendable func fuzzLinks(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let location = String(decoding: input.line(), as: UTF8.self)
    let text = String(decoding: input.bytes(), as: UTF8.self)
    for text in [text, "foyer://" + text] {
        guard let link = try? DeepLink(text) else { continue }
        promise((try? DeepLink(link.description)) == link, "a link is read as it is written")
        promise(!link.path.isEmpty && !link.path.contains(where: \.isEmpty), "a link has names")
    }
    for text in [text, "https://" + text, "http://" + text] {
        guard let address = try? ServerAddress(text) else { continue }
        promise((try? ServerAddress(address.text)) == address, "an address is read as it is written")
        promise(!address.isPlain || address.isLoopback, "nothing leaves this machine in clear")
        for location in [location, "/" + location, address.origin + location] {
            guard let target = address.target(of: location) else { continue }
            promise(target.hasPrefix(address.origin + "/"), "a redirection stays at its origin")
        }
    }
}
