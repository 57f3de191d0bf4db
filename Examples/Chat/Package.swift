// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "Chat",
  dependencies: [.package(name: "bluebonnet", path: "../.."), .package(name: "sockets", path: "../Sockets")],
  targets: [
    .executableTarget(
      name: "Chat",
      dependencies: [
        .product(name: "Bluebonnet", package: "bluebonnet"),
        .product(name: "BluebonnetHTTP1", package: "bluebonnet"),
        .product(name: "BluebonnetWebSocket", package: "bluebonnet"),
        .product(name: "Sockets", package: "sockets"),
      ])
  ]
)
