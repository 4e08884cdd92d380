/// All values that an object and its superclasses declare as state: one value to snapshot, save and restore.
@FlowActor
struct CoordinatorState {
    private let owner: ObjectIdentifier
    private var values: [any StateValue] = []
    private var saved: [(name: StateName, value: any SavedValue)] = []

    /// Finds the values. Where two classes have a private one of the same name, the subclass's is saved as `name#2`.
    init(of object: AnyObject) {
        owner = ObjectIdentifier(object)
        let levels = Array(sequence(first: Mirror(reflecting: object)) { $0.superclassMirror })
        var counts: [String: Int] = [:]
        for (label, child) in levels.reversed().flatMap(\.children) {
            guard let value = child as? any StateValue else { continue }
            values.append(value)
            // The property `isOpen` is stored as `_isOpen`.
            guard let value = value as? any SavedValue, let name = label.map({ String($0.dropFirst()) }) else {
                continue
            }
            let count = counts[name, default: 0] + 1
            counts[name] = count
            saved.append((StateName(stringValue: count > 1 ? "\(name)#\(count)" : name), value))
        }
    }

    /// Remembers the values; running the result brings them back.
    func snapshot() -> () -> Void {
        var seen: Set<ObjectIdentifier> = []
        return snapshot(&seen)
    }

    /// - Parameter seen: the objects of which the snapshot has the values already.
    func snapshot(_ seen: inout Set<ObjectIdentifier>) -> () -> Void {
        guard seen.insert(owner).inserted else { return {} }
        var undo: [() -> Void] = []
        for value in values { undo.append(value.snapshot(&seen)) }
        return { for restore in undo { restore() } }
    }

    /// The JSON object that goes into the coordinator's row.
    var text: String {
        guard !saved.isEmpty else { return "{}" }
        return JSONText.encode(NewRow(members: saved.map { ($0.name, $0.value.encodable) }))
    }

    /// Takes over the values of a row, all of them or none.
    /// - Throws: `DecodingError` where this version of the program cannot read one.
    func restore(from text: String) throws {
        guard !saved.isEmpty else { return }
        let row = try JSONText.decode(SavedRow.self, from: text).members
        let changes = try saved.filter { row.contains($0.name) }.map { try $0.value.read($0.name, in: row) }
        for change in changes { change() }
    }
}

/// The name of a value in a coordinator's row.
struct StateName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}

private struct NewRow: Encodable {
    let members: [(name: StateName, value: any Encodable)]

    func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: StateName.self)
        for (name, value) in members { try row.encode(value, forKey: name) }
    }
}

/// A row whose members are read one by one, each as the type of its property.
private struct SavedRow: Decodable {
    let members: KeyedDecodingContainer<StateName>

    init(from decoder: any Decoder) throws {
        members = try decoder.container(keyedBy: StateName.self)
    }
}
