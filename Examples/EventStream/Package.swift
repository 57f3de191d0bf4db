// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "EventStream",
  dependencies: [.package(name: "bluebonnet", path: "../..")],
  targets: [
    .executableTarget(
      name: "EventStream",
      dependencies: [
        .product(name: "Bluebonnet", package: "bluebonnet"),
        .product(name: "BluebonnetOrigin", package: "bluebonnet"),
      ])
  ]
)
