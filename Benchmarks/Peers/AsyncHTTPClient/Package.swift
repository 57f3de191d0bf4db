// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// A package of its own: a client that takes minutes to build stays out of the root's dependency graph.
let package = Package(
  name: "AsyncHTTPClientPeer",
  dependencies: [
    .package(path: "../../Harness"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
  ],
  targets: [
    .executableTarget(
      name: "AsyncHTTPClientPeer",
      dependencies: [
        .product(name: "BenchmarkHarness", package: "Harness"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
