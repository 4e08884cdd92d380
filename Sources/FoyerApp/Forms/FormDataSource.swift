public import Foyer

/// Gives the rows of a form: the articles' `UITableViewDataSource`.
@FlowActor
public protocol FormDataSource: AnyObject {
    /// How many rows there are.
    var numberOfRows: Int { get }
    /// The field in a row, from 0, as it is shown; nil where there is no such row.
    func row(at index: Int) -> FieldView?
}
