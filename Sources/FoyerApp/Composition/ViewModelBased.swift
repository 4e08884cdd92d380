public import Foyer

/// A view model that a screen can make by itself, because it says which services it needs.
///
///     typealias Services = any HasFlows & HasOutbox
///
/// The services are a composition of one protocol each, so the view model reaches what it has declared, and nothing
/// else of the container that is passed in.
public protocol ViewModel {
    /// What it works with.
    associatedtype Services
    /// Makes the view model.
    init(withServices services: Services)
}

/// A screen that has a view model, whose type follows from the property.
@FlowActor
public protocol ViewModelBased: AnyObject {
    /// The type of the view model.
    associatedtype ViewModelType
    /// The view model; nil until one is given.
    var viewModel: ViewModelType? { get set }
}

extension ViewModelBased where Self: ScreenBased {
    /// Makes the screen with a view model that exists already.
    public static func instantiate(with viewModel: ViewModelType) -> Self {
        let screen = instantiate()
        screen.viewModel = viewModel
        return screen
    }

    /// Makes the screen and its view model; services other than those that it declares do not compile.
    ///
    /// This couples the screen with the making of its view model, as the article warns; `instantiate(with:)` does not.
    public static func instantiate<Services>(withServices services: Services) -> Self
    where ViewModelType: ViewModel, Services == ViewModelType.Services {
        instantiate(with: ViewModelType(withServices: services))
    }
}
