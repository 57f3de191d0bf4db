// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "NIOParserPeer",
  dependencies: [.package(url: "https://github.com/apple/swift-nio", from: "2.80.0")],
  targets: [
    .executableTarget(
      name: "NIOParserPeer",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
