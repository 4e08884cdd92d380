/// A coordinator in the barest form: it can be started, and it can be named.
///
/// `AnyCoordinator` is the ready-made way to be one; whoever prefers composition to inheritance conforms a class.
@FlowActor
package protocol Coordinating: AnyObject {
    /// The slots from the root down, such as `app/account/register`.
    var path: String { get }
    /// What this coordinator shows at the moment.
    var rendering: ScreenTree { get }
    /// Shows the first screen.
    func start()
}
