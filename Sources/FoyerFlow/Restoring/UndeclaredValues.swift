/// What coordinators store beside their state, as far as it can be compared. Where an input changes one of these values,
/// somebody forgot to declare it: neither a failed write nor a restart brings it back.
@FlowActor
package struct UndeclaredValues {
    private let owners: [(coordinator: AnyCoordinator, values: [String: any Equatable])]

    init(of coordinators: [AnyCoordinator]) {
        owners = coordinators.map { coordinator in
            let levels = sequence(first: Mirror(reflecting: coordinator)) { $0.superclassMirror }
            let stored = levels.flatMap(\.children).compactMap { label, value -> (String, any Equatable)? in
                // A value that is made when it is first needed can be made again.
                guard let label, !label.hasPrefix("$"), let value = value as? any Equatable else { return nil }
                return (label, value)
            }
            return (coordinator, Dictionary(stored) { first, _ in first })
        }
    }

    /// The first value that was another one at an earlier time, such as `DoorCoordinator.count`; nil where none was.
    package func firstChange(since earlier: UndeclaredValues) -> String? {
        for (coordinator, values) in owners {
            guard let before = earlier.owners.first(where: { $0.coordinator === coordinator })?.values else { continue }
            let names = Set(values.keys).union(before.keys).sorted()
            if let name = names.first(where: { !Self.areEqual(values[$0], before[$0]) }) {
                return "\(type(of: coordinator)).\(name)"
            }
        }
        return nil
    }

    private static func areEqual(_ one: (any Equatable)?, _ other: (any Equatable)?) -> Bool {
        guard let one else { return other == nil }
        return isEqual(one, to: other)
    }

    private static func isEqual<Value: Equatable>(_ value: Value, to other: (any Equatable)?) -> Bool {
        other as? Value == value
    }
}

extension FlowHost {
    /// What the coordinators store beside their state.
    package var undeclaredValues: UndeclaredValues { UndeclaredValues(of: root.subtree) }
}
