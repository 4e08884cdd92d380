// swift-tools-version: 6.2
import PackageDescription

// Comparisons that are no part of the library, and the one place that may import FoundationNetworking.
// swift run --package-path Benchmarks -c release HTTPBenchmark
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Foyer", path: "..")],
    targets: [
        .executableTarget(name: "HTTPBenchmark", dependencies: [.product(name: "Foyer", package: "Foyer")])
    ],
    swiftLanguageModes: [.v6]
)
