import CProcess
import Foyer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The program `foyer`.
@main
struct FoyerCommand {
    @MainActor
    static func main() async {
        keepMemoryPrivate()
        SignalGuard.install()
        exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    @MainActor
    private static func run(_ arguments: [String]) async -> ExitCode {
        do {
            let invocation = try Invocation(arguments)
            Output.use(invocation.options.color)
            let code: ExitCode
            do {
                code = try await invocation.run()
            } catch {
                code = Failure(error).report(asJSON: invocation.options.json)
            }
            await invocation.options.opened.closeAll()
            return code
        } catch {
            // The flag decides how to fail even where the other arguments cannot be understood.
            return Failure(error).report(asJSON: arguments.contains("--json"))
        }
    }

    /// A core file, or another program of the same user, would see what was typed.
    private static func keepMemoryPrivate() {
        foyer_forbid_dumps()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
        setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
