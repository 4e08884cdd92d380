/// Objects that must be gone when a scenario is over; it holds none of them.
public final class Census {
    private struct Entry {
        weak var object: AnyObject?
        let name: String
    }

    private var entries: [Entry] = []

    /// Begins without any object.
    public init() {}

    /// Counts these objects, each once.
    public func note(_ objects: [some AnyObject]) {
        for object in objects where !entries.contains(where: { $0.object === object }) {
            entries.append(Entry(object: object, name: String(describing: type(of: object))))
        }
    }

    /// The types of all objects that were seen, in the order in which they came.
    public var seen: [String] { entries.map(\.name) }

    /// The types of those that still live.
    public var alive: [String] { entries.filter { $0.object != nil }.map(\.name) }
}
