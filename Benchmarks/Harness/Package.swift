// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// The command line and the one-line report that every measured client shares, so that nothing but the client differs.
let package = Package(
  name: "Harness",
  products: [.library(name: "BenchmarkHarness", targets: ["BenchmarkHarness"])],
  targets: [.target(name: "BenchmarkHarness")],
  swiftLanguageModes: [.v6]
)
