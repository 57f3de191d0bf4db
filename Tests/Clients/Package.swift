// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// Programs as users have them, in a package of their own: what the README promises them is built and run by CI.
let package = Package(
  name: "clients",
  dependencies: [.package(name: "bluebonnet", path: "../..")],
  targets: [
    // The README's first lines, pasted into main.swift.
    .executableTarget(name: "First", dependencies: [.product(name: "Bluebonnet", package: "bluebonnet")]),
    // A program that was written for Alamofire, not a line of it changed.
    .executableTarget(
      name: "Existing",
      dependencies: [.product(name: "Bluebonnet", package: "bluebonnet")],
      swiftSettings: [.unsafeFlags(["-module-alias", "Alamofire=Bluebonnet"])]),
  ]
)
