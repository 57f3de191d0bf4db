// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "service",
  dependencies: [
    // Without its default trait, Foundation and its 44 MB stay out of the program.
    .package(name: "bluebonnet", path: "../..", traits: [])
  ],
  targets: [
    .executableTarget(name: "Service", dependencies: [.product(name: "Bluebonnet", package: "bluebonnet")])
  ]
)
