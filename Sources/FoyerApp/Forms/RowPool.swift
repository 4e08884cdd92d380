public import Foyer

/// Rows that are free to be used again.
@FlowActor
public final class RowPool {
    private var free: [String: [any ReusableRow]] = [:]

    /// Makes an empty pool.
    public init() {}

    /// A row of that type, without a cast: a free one, or a new one.
    public func dequeue<Row: ReusableRow>(_ type: Row.Type) -> Row {
        guard let row = free[type.reuseID]?.popLast() as? Row else { return Row() }
        row.prepareForReuse()
        return row
    }

    /// Takes a row that is not shown any more.
    public func recycle(_ row: some ReusableRow) {
        free[type(of: row).reuseID, default: []].append(row)
    }
}
