public import Foyer

/// What a client is told about a flow: one line of Documentation/json-presenter.md, and which flow it is.
public struct FlowAnswer: Codable, Sendable {
    public var schema = 1
    /// The flow's id. Who knows it can go on with the flow: 62 bits of it are random, and it belongs in no log.
    public var flow: UUIDv7
    /// `open`, `submitted`, `finished`, `cancelled` or `expired`.
    public var status: String
    /// What became of an input: `taken`, `refused` or `stale`.
    public var result: String?
    /// Today's screens; missing where the flow has ended.
    public var screens: ScreenTree?
}

extension FlowHost.Result {
    /// The word for it on the wire.
    var word: String {
        switch self {
        case .taken, .asks: "taken"
        case .refused: "refused"
        case .stale: "stale"
        }
    }
}
