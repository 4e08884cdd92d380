// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// swift run flow-server PORT FOLDER
// swift run flow-server --check FOLDER
let package = Package(
    name: "FlowServer",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "FlowServer", targets: ["FlowServer"]),
        .executable(name: "flow-server", targets: ["FlowServerApp"]),
    ],
    dependencies: [.package(name: "Foyer", path: "../..")],
    targets: [
        .target(
            name: "FlowServer", dependencies: [.product(name: "Foyer", package: "Foyer")], swiftSettings: strict),
        .executableTarget(
            name: "FlowServerApp",
            dependencies: ["FlowServer", .product(name: "FoyerMockNetwork", package: "Foyer")], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
