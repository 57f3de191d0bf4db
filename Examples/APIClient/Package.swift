// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "APIClient",
  dependencies: [.package(name: "bluebonnet", path: "../..")],
  targets: [
    .executableTarget(
      name: "APIClient",
      dependencies: [
        .product(name: "Bluebonnet", package: "bluebonnet"),
        .product(name: "BluebonnetOrigin", package: "bluebonnet"),
      ])
  ]
)
