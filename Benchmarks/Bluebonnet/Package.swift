// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "BluebonnetBenchmark",
  dependencies: [
    .package(path: "../Harness"),
    .package(name: "bluebonnet", path: "../.."),
  ],
  targets: [
    .executableTarget(
      name: "BluebonnetBenchmark",
      dependencies: [
        .product(name: "BenchmarkHarness", package: "Harness"),
        .product(name: "Bluebonnet", package: "bluebonnet"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
