import FoyerModel
import FoyerSQLite

/// A sealed box, or a signature, as the file holds it: `b1` and Base64, so that the `sqlite3` shell prints a text.
struct BoxText: Bindable {
    fileprivate static let form = "b1"
    private let box: [UInt8]

    init(_ box: [UInt8]) { self.box = box }

    var sqliteValue: SQLiteValue { .text(Self.form + Base64.text(box)) }
}

extension Row {
    /// A column with a box; a text of another form is a box without a byte, which opens as one that was tampered with.
    func box(_ column: Int) throws -> [UInt8] { try boxOrNil(column) ?? [] }

    func boxOrNil(_ column: Int) throws -> [UInt8]? {
        guard let text = try withText(column, { String(validating: $0, as: UTF8.self) ?? "" }) else { return nil }
        guard text.hasPrefix(BoxText.form) else { return [] }
        return Base64.bytes(text.dropFirst(BoxText.form.count)) ?? []
    }
}
