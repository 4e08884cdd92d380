extension AnyCoordinator {
    /// A value of a coordinator's state: an answer that cannot be written leaves it as it was, and a restart brings it
    /// back.
    ///
    ///     @Saved private var isOpen = false
    ///
    /// The base class finds these values by itself, at every level of a subclass. Together they are one JSON object in
    /// the coordinator's row, each under its property's name. A value that the row lacks is new in this version of the
    /// program, and begins as it was made. Where one cannot be read, all begin so, and ``FlowHost/notes`` tells it.
    ///
    /// Everyone who has the file can read the row. A ``Secret`` is not `Codable`, so it does not compile here.
    @FlowActor @propertyWrapper
    public final class Saved<Value: Codable & Sendable> {
        /// The value as it is now.
        public var wrappedValue: Value

        /// Begins with a value.
        public init(wrappedValue: Value) {
            self.wrappedValue = wrappedValue
        }
    }
}

/// A value in memory: an answer that cannot be written leaves it as it was, and after a restart it begins anew.
///
///     @Unsaved private var typed: [String: Secret] = [:]
///
/// Where the value is an object, such as a screen, the values that it declares in the same way follow.
@FlowActor @propertyWrapper
public final class Unsaved<Value> {
    /// The value as it is now.
    public var wrappedValue: Value

    /// Begins with a value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

/// A value that a coordinator declares as part of its state.
@FlowActor
protocol StateValue: AnyObject {
    /// Remembers the value; running the result brings it back.
    /// - Parameter seen: the objects of which the snapshot has the values already.
    func snapshot(_ seen: inout Set<ObjectIdentifier>) -> () -> Void
}

/// A value that goes into the coordinator's row.
@FlowActor
protocol SavedValue: StateValue {
    /// The value as it is written.
    var encodable: any Encodable { get }
    /// Reads the value; running the result takes it over.
    func read(_ name: StateName, in row: KeyedDecodingContainer<StateName>) throws -> () -> Void
}

extension AnyCoordinator.Saved: SavedValue {
    var encodable: any Encodable { wrappedValue }

    func read(_ name: StateName, in row: KeyedDecodingContainer<StateName>) throws -> () -> Void {
        let value = try row.decode(Value.self, forKey: name)
        return { self.wrappedValue = value }
    }

    func snapshot(_ seen: inout Set<ObjectIdentifier>) -> () -> Void {
        { [value = wrappedValue] in self.wrappedValue = value }
    }
}

extension Unsaved: StateValue {
    func snapshot(_ seen: inout Set<ObjectIdentifier>) -> () -> Void {
        let value = wrappedValue
        let inner = Self.object(value).map { CoordinatorState(of: $0).snapshot(&seen) }
        return {
            self.wrappedValue = value
            inner?()
        }
    }

    /// The object that a value is, or that an optional holds; nil for a coordinator, which has a snapshot of its own.
    private static func object(_ value: Any) -> AnyObject? {
        let mirror = Mirror(reflecting: value)
        return switch mirror.displayStyle {
        case .class: value is AnyCoordinator ? nil : value as AnyObject
        case .optional: mirror.children.first.flatMap { object($0.value) }
        default: nil
        }
    }
}
