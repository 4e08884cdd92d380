/// The rows of a table, as far as they can be read: what is damaged is left out, and named.
public struct Listing<Element: Sendable>: RandomAccessCollection, Sendable {
    /// What could be read, in the order that was asked for.
    public let elements: [Element]
    /// What could not.
    public let damaged: [DamagedRow]

    /// Makes a listing.
    public init(_ elements: [Element], damaged: [DamagedRow] = []) {
        self.elements = elements
        self.damaged = damaged
    }

    public var startIndex: Int { elements.startIndex }
    public var endIndex: Int { elements.endIndex }
    public subscript(position: Int) -> Element { elements[position] }

    /// The listing with each element changed.
    package func map(_ change: (Element) -> Element) -> Listing {
        Listing(elements.map(change), damaged: damaged)
    }
}

extension Listing: Equatable where Element: Equatable {}

extension Listing: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

/// A row that another program, or a failing disk, has left with a value that cannot be one of ours.
public struct DamagedRow: Sendable, Hashable {
    /// The table.
    public let table: String
    /// The row's identifier, or its number where that cannot be read.
    public let row: String
    /// The column with the value; nil where no single one could be told.
    public let column: String?

    /// Makes the value.
    public init(table: String, row: String, column: String?) {
        self.table = table
        self.row = row
        self.column = column
    }
}
