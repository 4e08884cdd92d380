/// A value as SQLite stores it.
public enum SQLiteValue: Sendable, Hashable {
    /// No value.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number; NaN is stored as NULL.
    case real(Double)
    /// Text, in UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

/// A type whose values can be bound to a parameter of a statement.
public protocol Bindable {
    /// The value to store.
    var sqliteValue: SQLiteValue { get }
}

extension String: Bindable {
    /// The text.
    public var sqliteValue: SQLiteValue { .text(self) }
}

extension Int: Bindable {
    /// The number.
    public var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension Int64: Bindable {
    /// The number.
    public var sqliteValue: SQLiteValue { .integer(self) }
}

extension Bool: Bindable {
    /// 1 for true, 0 for false.
    public var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
    /// The number.
    public var sqliteValue: SQLiteValue { .real(self) }
}

extension [UInt8]: Bindable {
    /// The bytes.
    public var sqliteValue: SQLiteValue { .blob(self) }
}

extension Optional: Bindable where Wrapped: Bindable {
    /// The wrapped value, or NULL.
    public var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }
}
