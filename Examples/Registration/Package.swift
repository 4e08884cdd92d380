// swift-tools-version: 6.2
import PackageDescription

// swift run registration FOLDER
let package = Package(
    name: "Registration",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "registration", targets: ["Registration"])],
    dependencies: [.package(name: "Foyer", path: "../..")],
    targets: [
        .executableTarget(
            name: "Registration",
            dependencies: [
                .product(name: "Foyer", package: "Foyer"), .product(name: "FoyerMockNetwork", package: "Foyer"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
