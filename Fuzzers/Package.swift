// swift-tools-version: 6.2
import PackageDescription

// Feeds what comes from outside to the code that reads it, with libFuzzer. Built and run by Scripts/fuzz.
let package = Package(
    name: "Fuzzers",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Foyer", path: "..")],
    targets: [
        .systemLibrary(name: "CLibFuzzer"),
        .executableTarget(
            name: "Fuzzer",
            dependencies: [
                "CLibFuzzer", .product(name: "Foyer", package: "Foyer"),
                .product(name: "FoyerMockNetwork", package: "Foyer"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
