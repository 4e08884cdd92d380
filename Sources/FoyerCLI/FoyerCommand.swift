import FoyerCProcess
import Dispatch
import Foyer
import FoyerPlatform

/// The program `foyer`, from `main` to its exit.
@_cdecl("foyer_main")
func foyerMain(count: Int32, arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Never {
    guard StandardDescriptors.fill() else { exit(ExitCode.ioError.rawValue) }
    FoyerCommand.keepMemoryPrivate()
    SignalGuard.install()
    let arguments = ProgramArguments(count: count, arguments)
    Task { @MainActor in exit(await FoyerCommand.run(arguments).rawValue) }
    // Before any other thread has work: on Linux libdispatch wakes the main thread through an eventfd until here, and a
    // thread that is about to write to it while it is closed writes into whatever file has got its number.
    dispatchMain()
}

/// One call of the program.
enum FoyerCommand {
    @MainActor
    static func run(_ arguments: ProgramArguments) async -> ExitCode {
        let code = await perform(arguments)
        guard let failure = Output.failure else { return code }
        let told = failure.report(asJSON: false)
        // A command that failed has said more than that its words were lost.
        return code == .done ? told : code
    }

    @MainActor
    private static func perform(_ arguments: ProgramArguments) async -> ExitCode {
        do {
            let invocation = try Invocation(try arguments.checked())
            Output.use(invocation.options.color)
            if invocation.command.readsSettings { try requireProcesses() }
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
            return Failure(error).report(asJSON: arguments.words.contains("--json"))
        }
    }

    /// On Linux libdispatch looks at its threads in `/proc`, and traps where there is none.
    private static func requireProcesses() throws(Failure) {
        #if os(Linux)
        let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure(
                code: "no_proc", message: "/proc is not there, and Swift's libraries need it. Mount it first.",
                exit: .configuration)
        }
        close(descriptor)
        #endif
    }

    /// A core file, or another program of the same user, would see what was typed.
    static func keepMemoryPrivate() {
        foyer_forbid_dumps()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
        setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
