// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "websocket-benchmark",
  dependencies: [.package(name: "bluebonnet", path: "../..")],
  targets: [
    .executableTarget(
      name: "Streams", dependencies: [.product(name: "Bluebonnet", package: "bluebonnet")],
      swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")])
  ],
  swiftLanguageModes: [.v6]
)
