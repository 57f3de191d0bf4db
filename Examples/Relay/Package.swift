// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "Relay",
  dependencies: [.package(name: "bluebonnet", path: "../.."), .package(name: "sockets", path: "../Sockets")],
  targets: [
    .executableTarget(
      name: "Relay",
      dependencies: [
        .product(name: "BluebonnetCore", package: "bluebonnet"),
        .product(name: "BluebonnetHTTP1", package: "bluebonnet"),
        .product(name: "BluebonnetOrigin", package: "bluebonnet"),
        .product(name: "Sockets", package: "sockets"),
      ])
  ]
)
