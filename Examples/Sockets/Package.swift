// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

// Accepted connections for the examples that are servers: Bluebonnet itself is a client.
let package = Package(
  name: "sockets",
  products: [.library(name: "Sockets", targets: ["Sockets"])],
  targets: [.target(name: "Sockets")]
)
