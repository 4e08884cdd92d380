import TestSupport
import Testing

@Suite struct UndeclaredServiceTests {
    private func program(reaching service: String, given argument: String = "MyServices()") -> String {
        """
        import Foyer
        import FoyerApp

        protocol HasService1: Sendable { var service1: Int { get } }
        protocol HasService2: Sendable { var service2: Int { get } }
        protocol HasService3: Sendable { var service3: Int { get } }
        struct MyServices: HasService1, HasService2, HasService3 { let service1 = 1, service2 = 2, service3 = 3 }

        struct MyViewModel: ViewModel {
            typealias Services = any HasService1 & HasService2
            init(withServices services: Services) { _ = services.\(service) }
        }
        struct ConcreteViewModel: ViewModel {
            init(withServices services: MyServices) {}
        }
        @FlowActor final class MyScreen: ScreenBased, ViewModelBased { var viewModel: MyViewModel? }
        @FlowActor final class ConcreteScreen: ScreenBased, ViewModelBased { var viewModel: ConcreteViewModel? }

        @FlowActor func make() {
            _ = MyScreen.instantiate(withServices: MyServices())
            _ = ConcreteScreen.instantiate(withServices: \(argument))
        }
        """
    }

    @Test("B8: the declared services compile")
    func declared() async throws {
        #expect(try await compilerErrors(of: program(reaching: "service2")) == "")
    }

    @Test("B8: a view model that reaches for an undeclared service does not compile")
    func undeclared() async throws {
        let errors = try await compilerErrors(of: program(reaching: "service3"))
        #expect(errors.contains("has no member 'service3'"))
    }

    @Test("B8: a screen that is given other services does not compile")
    func wrong() async throws {
        let errors = try await compilerErrors(of: program(reaching: "service1", given: "7"))
        #expect(errors.contains("cannot convert value of type 'Int' to expected argument type 'MyServices'"))
    }
}
