// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// A package of its own, because a fuzzer links only with its sanitizer. The root package compiles the same
// invariants into a test that replays the corpus.
let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "bluebonnet", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "Bluebonnet", package: "bluebonnet"),
        .product(name: "BluebonnetHTTP1", package: "bluebonnet"),
        .product(name: "BluebonnetSemantics", package: "bluebonnet"),
        .product(name: "BluebonnetOrigin", package: "bluebonnet"),
        .product(name: "BluebonnetProxies", package: "bluebonnet"),
        .product(name: "BluebonnetWebSocket", package: "bluebonnet"),
      ],
      path: "Targets", exclude: ["Replay"],
      swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")])
  ],
  swiftLanguageModes: [.v6]
)
