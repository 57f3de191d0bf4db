// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "Downloader",
  dependencies: [.package(name: "bluebonnet", path: "../..")],
  targets: [
    .executableTarget(
      name: "Downloader",
      dependencies: [
        .product(name: "Bluebonnet", package: "bluebonnet"),
        .product(name: "BluebonnetOrigin", package: "bluebonnet"),
      ])
  ]
)
