// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// swift run membership FOLDER
let package = Package(
    name: "Membership",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Membership", targets: ["Membership"]),
        .executable(name: "membership", targets: ["MembershipApp"]),
    ],
    dependencies: [.package(name: "Foyer", path: "../..")],
    targets: [
        .target(
            name: "Membership", dependencies: [.product(name: "Foyer", package: "Foyer")], swiftSettings: strict),
        .executableTarget(name: "MembershipApp", dependencies: ["Membership"], swiftSettings: strict),
        .testTarget(
            name: "MembershipTests",
            dependencies: ["Membership", .product(name: "FoyerTestSupport", package: "Foyer")], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
