// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let settings: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

let package = Package(
  name: "core-benchmark",
  dependencies: [.package(name: "bluebonnet", path: "../..")],
  targets: [
    .target(
      name: "Measurement", dependencies: [.product(name: "BluebonnetCore", package: "bluebonnet")],
      swiftSettings: settings),
    .executableTarget(name: "Get", dependencies: ["Measurement"], swiftSettings: settings),
    .executableTarget(name: "GetBlocking", dependencies: ["Measurement"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
