// swift-tools-version: 6.2
import PackageDescription

/// The language settings of every target: strict Swift 6, and a warning is an error.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]

/// A room of the library: it may import the rooms named here, and only those (ARCHITECTURE.md says what lives where).
///
/// With `EmbedFiles` among its plugins, its folder `Templates` is compiled into it.
func room(
    _ name: String, imports dependencies: [Target.Dependency], plugins: [Target.PluginUsage] = []
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings, plugins: plugins)
}

func tests(of name: String, with dependencies: [Target.Dependency], excluding files: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies + ["TestSupport"], exclude: files, swiftSettings: settings)
}

let package = Package(
    name: "Foyer",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Foyer", targets: ["Foyer"]),
        .library(name: "FoyerApp", targets: ["FoyerApp"]),
        .library(name: "FoyerMockNetwork", targets: ["FoyerMockNetwork"]),
        .library(name: "FoyerTestSupport", targets: ["FoyerTestSupport"]),
        .executable(name: "foyer", targets: ["FoyerProgram"]),
        // Compiles an app's migrations and screen templates in.
        .plugin(name: "EmbedFiles", targets: ["EmbedFiles"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        // The other C targets have names that no app's package has too.
        .systemLibrary(
            name: "FoyerCSodium", path: "Sources/CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        // Opens libcurl when it is needed: a program that is linked with it takes twice as long to start.
        .target(name: "FoyerCCurl", path: "Sources/CCurl", cSettings: [.treatAllWarnings(as: .error)]),
        // What a program sets for its process.
        .systemLibrary(name: "FoyerCProcess", path: "Sources/CProcess"),

        room("FoyerPlatform", imports: []),
        room("FoyerModel", imports: ["FoyerPlatform", "FoyerCSodium"]),
        room("FoyerSQLite", imports: ["FoyerPlatform", "CSQLite"]),
        .target(
            name: "FoyerMigrations", path: "Migrations", swiftSettings: settings, plugins: ["EmbedFiles"]),
        room("FoyerStore", imports: ["FoyerModel", "FoyerSQLite", "FoyerMigrations", "FoyerCSodium"]),
        room("FoyerSync", imports: ["FoyerModel", "FoyerCCurl"]),
        room("FoyerMockNetwork", imports: ["FoyerModel", "FoyerSQLite", "FoyerCSodium"]),
        room("FoyerFlow", imports: ["FoyerModel"]),
        room("Foyer", imports: ["FoyerModel", "FoyerStore", "FoyerSync", "FoyerFlow"]),
        // The whole app of the articles, made of the library.
        room("FoyerApp", imports: ["FoyerPlatform", "Foyer"], plugins: ["EmbedFiles"]),
        room("FoyerTestSupport", imports: ["Foyer"]),
        room("FoyerCLI", imports: ["Foyer", "FoyerApp", "FoyerMockNetwork", "FoyerCProcess"]),
        // The program itself: `main`, which hands its arguments to FoyerCLI.
        .executableTarget(
            name: "FoyerProgram", dependencies: ["FoyerCLI"], cSettings: [.treatAllWarnings(as: .error)]),

        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["EmbedFilesTool"]),
        .executableTarget(name: "EmbedFilesTool", dependencies: ["CSQLite"], swiftSettings: settings),

        // What Swift's Glibc module lacks for tests that run programs.
        .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "TestSupport", dependencies: ["CPseudoTerminal"], path: "Tests/TestSupport",
            exclude: ["clockshift.c", "killpoint.c", "noproc.c", "slowwakeup.c", "tsan-mutex.c"],
            swiftSettings: settings),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: settings),
        tests(of: "FoyerModel", with: ["FoyerModel"]),
        tests(of: "FoyerSQLite", with: ["FoyerSQLite", "CSQLite", "KilledWriters"]),
        .executableTarget(
            name: "KilledWriters", dependencies: ["FoyerSQLite", "TestSupport"], path: "Tests/KilledWriters",
            swiftSettings: settings),
        .target(
            name: "RepositoryContract", dependencies: ["FoyerModel", "FoyerTestSupport"],
            path: "Tests/RepositoryContract", swiftSettings: settings),
        tests(
            of: "FoyerStore",
            with: [
                "RepositoryContract", "FoyerTestSupport", "FoyerStore", "FoyerModel", "FoyerSQLite", "FoyerCSodium",
            ]),
        tests(
            of: "FoyerSync",
            with: ["FoyerTestSupport", "FoyerSync", "FoyerModel", "FoyerStore", "OutboxSimulation", "ReturningApp"]),
        .executableTarget(
            name: "ReturningApp", dependencies: ["Foyer"], path: "Tests/ReturningApp", swiftSettings: settings),
        .executableTarget(
            name: "OutboxSimulation",
            dependencies: ["FoyerModel", "FoyerSQLite", "FoyerStore", "FoyerSync", "FoyerMigrations", "TestSupport"],
            path: "Tests/OutboxSimulation", swiftSettings: settings),
        tests(of: "FoyerMockNetwork", with: ["FoyerMockNetwork", "FoyerModel", "FoyerSQLite", "FoyerCSodium"]),
        tests(
            of: "FoyerFlow", with: ["RepositoryContract", "FoyerTestSupport", "FoyerFlow", "FoyerModel", "FoyerApp"]),
        tests(of: "Foyer", with: ["FoyerTestSupport", "Foyer", "FoyerApp", "FoyerMockNetwork"]),
        tests(of: "FoyerTestSupport", with: ["FoyerTestSupport", "Foyer"]),
        tests(
            of: "FoyerCLI", with: ["FoyerCLI", "FoyerApp", "FoyerModel", "FoyerMockNetwork", "FoyerStore"],
            excluding: ["Golden"]),
        tests(of: "SampleApp", with: ["YesterdaysApp", "TodaysApp", "StatefulApp"]),
        .testTarget(name: "ArchitectureTests", swiftSettings: settings),

        // What Foyer is measured with, against the same statements in C.
        .target(name: "RawSQLite", path: "Benchmarks/Sources/RawSQLite", cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "StoreBenchmark",
            dependencies: [
                "Foyer", "FoyerMockNetwork", "FoyerModel", "FoyerSQLite", "FoyerStore", "FoyerSync", "RawSQLite",
                "TestSupport",
            ],
            path: "Benchmarks/Sources/StoreBenchmark", swiftSettings: settings),

        // One app in two versions, for the tests of what a changed program makes of saved flows.
        .target(
            name: "SampleApp", dependencies: ["Foyer", "FoyerMockNetwork"], path: "Tests/SampleApp/Shared",
            swiftSettings: settings),
        .executableTarget(
            name: "YesterdaysApp", dependencies: ["SampleApp", "Foyer"], path: "Tests/SampleApp/Yesterday",
            swiftSettings: settings),
        .executableTarget(
            name: "TodaysApp", dependencies: ["SampleApp", "Foyer"], path: "Tests/SampleApp/Today",
            swiftSettings: settings),
        // An app whose coordinator has state of its own, for the tests of what a kill leaves of it.
        .executableTarget(
            name: "StatefulApp", dependencies: ["Foyer", "FoyerMockNetwork"], path: "Tests/StatefulApp",
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
