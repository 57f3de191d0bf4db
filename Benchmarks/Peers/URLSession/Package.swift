// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "URLSessionPeer",
  dependencies: [.package(path: "../../Harness")],
  targets: [
    .executableTarget(
      name: "URLSessionPeer",
      dependencies: [.product(name: "BenchmarkHarness", package: "Harness")])
  ],
  swiftLanguageModes: [.v6]
)
