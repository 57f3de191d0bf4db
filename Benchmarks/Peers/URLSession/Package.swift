// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "URLSessionPeer",
  dependencies: [.package(path: "../../Harness")],
  targets: [
    .executableTarget(
      name: "URLSessionPeer",
      dependencies: [.product(name: "BenchmarkHarness", package: "Harness")])
  ],
  swiftLanguageModes: [.v6]
)
