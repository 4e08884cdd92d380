// swift-tools-version: 6.2
import PackageDescription

// swift run web-page PORT FOLDER
let package = Package(
    name: "WebPage",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "web-page", targets: ["WebPage"])],
    dependencies: [
        .package(name: "Foyer", path: "../.."),
        .package(name: "FlowServer", path: "../FlowServer"),
    ],
    targets: [
        .executableTarget(
            name: "WebPage",
            dependencies: [
                .product(name: "Foyer", package: "Foyer"), .product(name: "FoyerMockNetwork", package: "Foyer"),
                .product(name: "FlowServer", package: "FlowServer"),
            ],
            resources: [.embedInCode("Page")], swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
