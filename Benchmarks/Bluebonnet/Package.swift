// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "BluebonnetBenchmark",
  dependencies: [
    .package(path: "../Harness"),
    .package(name: "bluebonnet", path: "../..", traits: [.defaults, "Logging"]),
    // What the logging monitor writes to; as the package itself asks for it.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
  ],
  targets: [
    .executableTarget(
      name: "BluebonnetBenchmark",
      dependencies: [
        .product(name: "BenchmarkHarness", package: "Harness"),
        .product(name: "Bluebonnet", package: "bluebonnet"),
        .product(name: "BluebonnetLogging", package: "bluebonnet"),
        .product(name: "Logging", package: "swift-log"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
