import FoyerFlow
import FoyerApp
import Testing

/// Services as the article has them.
final class Service: Sendable {
    func executeService() -> String { "Service execution" }
}

struct ServiceViewModel: ViewModel {
    let service: Service
    init(withServices service: Service) { self.service = service }
}

@FlowActor
final class PlainScreen: ScreenBased, ViewModelBased {
    var viewModel: ServiceViewModel?
}

@Suite @FlowActor struct CompositionTests {
    @Test("B1: conforming to ScreenBased is enough to be made")
    func mixin() {
        final class EmptyScreen: ScreenBased {}
        #expect(type(of: EmptyScreen.instantiate()) == EmptyScreen.self)
    }

    @Test("B3: instantiate() gives the type itself, without a cast")
    func noCast() {
        let screen: PlainScreen = PlainScreen.instantiate()
        #expect(screen.viewModel == nil)
    }

    @Test("B5: instantiate(with:) hands in a view model, also one that is no ViewModel")
    func with() {
        final class NumberScreen: ScreenBased, ViewModelBased { var viewModel: Int? }
        #expect(NumberScreen.instantiate(with: 7).viewModel == 7)
    }

    @Test("B6: ScreenBased and ViewModelBased together give what neither has alone")
    func together() {
        func make<Made: ScreenBased & ViewModelBased>(_: Made.Type, with model: Made.ViewModelType) -> Made {
            Made.instantiate(with: model)
        }
        let service = Service()
        let model = ServiceViewModel(withServices: service)
        #expect(make(PlainScreen.self, with: model).viewModel?.service === service)
    }

    @Test("B7: a screen makes its view model from the services")
    func withServices() {
        let service = Service()
        #expect(PlainScreen.instantiate(withServices: service).viewModel?.service === service)
    }

    @Test("B9: the view model's type follows from the property")
    func inferred() {
        #expect(PlainScreen.ViewModelType.self == ServiceViewModel.self)
    }

    @Test("B14: the view model can be reached from its screen")
    func reachable() {
        let screen = PlainScreen.instantiate(withServices: Service())
        #expect(screen.viewModel?.service.executeService() == "Service execution")
    }

    @Test("B15: both ways exist: the screen makes its view model, or is given one")
    func bothWays() {
        let service = Service()
        let given = PlainScreen.instantiate(with: ServiceViewModel(withServices: service))
        let made = PlainScreen.instantiate(withServices: service)
        #expect(given.viewModel?.service === made.viewModel?.service)
    }
}
