/// Which network the flows of a store are made for; a submission is sent to that one, or nowhere.
package enum EndpointChoice: Sendable, Equatable {
    /// The one with this name (`AccountNetwork.endpoint`); flows that were begun for another one are finished for it, too.
    case named(String)
    /// The one that the store's first flow was begun for, else this one. Nobody has named it, so flows that were begun
    /// for another one are finished for that.
    case first(orElse: String)

    /// Whether nobody has named an endpoint.
    package var isDefault: Bool {
        if case .first = self { true } else { false }
    }

    /// The name of the endpoint.
    /// - Parameter first: reads the endpoint of the store's first flow.
    package func name<Failure>(first: () throws(Failure) -> String?) throws(Failure) -> String {
        switch self {
        case .named(let name): name
        case .first(let other): try first() ?? other
        }
    }
}
