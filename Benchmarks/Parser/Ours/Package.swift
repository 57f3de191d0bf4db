// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "ParserBenchmark",
  dependencies: [.package(name: "bluebonnet", path: "../../..")],
  targets: [
    .executableTarget(
      name: "ParserBenchmark",
      dependencies: [.product(name: "BluebonnetHTTP1", package: "bluebonnet")])
  ],
  swiftLanguageModes: [.v6]
)
