// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let settings: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

let package = Package(
  name: "memory-benchmark",
  dependencies: [.package(name: "bluebonnet", path: "../..")],
  targets: [
    .executableTarget(
      name: "Streams", dependencies: [.product(name: "Bluebonnet", package: "bluebonnet")],
      swiftSettings: settings),
    .executableTarget(
      name: "Idle", dependencies: [.product(name: "Bluebonnet", package: "bluebonnet")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
