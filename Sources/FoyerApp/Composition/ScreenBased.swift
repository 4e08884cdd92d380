public import Foyer

/// A screen that needs nothing to be made: conforming to this adds ``instantiate()``.
///
/// With ``TemplateBased`` and ``ViewModelBased`` these are the reusable mixins of the articles: protocols whose
/// default implementations make an instance of the right type, without a cast.
@FlowActor
public protocol ScreenBased: AnyObject {
    /// Makes the screen, without any data yet.
    init()
}

extension ScreenBased {
    /// Makes the screen.
    public static func instantiate() -> Self { Self() }
}

extension ScreenBased where Self: TemplateBased {
    /// Makes the screen, after making sure that its template is there and is meant for it.
    public static func instantiateChecked() throws(TemplateError) -> Self {
        _ = try template
        return instantiate()
    }
}
