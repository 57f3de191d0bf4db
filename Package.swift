// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// The manifest loads on every system, since a package that depends on this one for Linux alone is resolved on each of them.
// `BluebonnetLibc` refuses to be compiled elsewhere.

/// A warning is an error where the package itself is checked, not where it is used: a newer compiler may have new ones.
let strict: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny")]
  + (Context.environment["BLUEBONNET_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// On x86-64, too, the parser reads plain bytes instead of vectors, as it does on other processors.
let plain: [SwiftSetting] =
  Context.environment["BLUEBONNET_PLAIN_LANES"] == nil ? [] : [.define("BLUEBONNET_PLAIN_LANES")]

/// For modules in which nothing is unsafe, and nothing is to become so.
let memorySafe = strict + [.strictMemorySafety()]

/// A test target beside the module it tests.
func tests(of module: String, and more: [Target.Dependency] = []) -> Target {
  .testTarget(name: "\(module)Tests", dependencies: [.byName(name: module)] + more, swiftSettings: strict)
}

let package = Package(
  name: "bluebonnet",
  products: [
    .library(name: "Bluebonnet", targets: ["Bluebonnet"]),
    .library(name: "BluebonnetCore", targets: ["BluebonnetCore"]),
    .library(name: "BluebonnetCache", targets: ["BluebonnetCache"]),
    .library(name: "BluebonnetHTTP1", targets: ["BluebonnetHTTP1"]),
    .library(name: "BluebonnetSemantics", targets: ["BluebonnetSemantics"]),
    .library(name: "BluebonnetProxies", targets: ["BluebonnetProxies"]),
    .library(name: "BluebonnetWebSocket", targets: ["BluebonnetWebSocket"]),
    .library(name: "BluebonnetOrigin", targets: ["BluebonnetOrigin"]),
    .library(name: "BluebonnetMock", targets: ["BluebonnetMock"]),
    .library(name: "BluebonnetOpenCombine", targets: ["BluebonnetOpenCombine"]),
    .library(name: "BluebonnetLogging", targets: ["BluebonnetLogging"]),
    .library(name: "BluebonnetMetrics", targets: ["BluebonnetMetrics"]),
    .library(name: "BluebonnetTracing", targets: ["BluebonnetTracing"]),
    .library(name: "BluebonnetHTTPTypes", targets: ["BluebonnetHTTPTypes"]),
    .library(name: "BluebonnetServiceLifecycle", targets: ["BluebonnetServiceLifecycle"]),
    .executable(name: "bonnet", targets: ["bonnet"]),
    .executable(name: "wirecheck", targets: ["wirecheck"]),
  ],
  traits: [
    .trait(
      name: "Foundation",
      description: "Full source compatibility through Foundation; without it, FoundationEssentials alone."),
    .trait(
      name: "OpenCombine",
      description:
        "The module BluebonnetOpenCombine, publishers of responses; without it, OpenCombine is not fetched."),
    .trait(
      name: "Logging",
      description: "The module BluebonnetLogging, a monitor that logs; without it, swift-log is not fetched."),
    .trait(
      name: "Metrics",
      description:
        "The module BluebonnetMetrics, a monitor that counts and measures; without it, swift-metrics is not fetched."
    ),
    .trait(
      name: "Tracing",
      description:
        "The module BluebonnetTracing, spans of requests; without it, swift-distributed-tracing is not fetched."
    ),
    .trait(
      name: "HTTPTypes",
      description:
        "The module BluebonnetHTTPTypes, conversions for swift-http-types; without it, that package is not fetched."
    ),
    .trait(
      name: "ServiceLifecycle",
      description:
        "The module BluebonnetServiceLifecycle, a session as a service; without it, swift-service-lifecycle is not fetched."
    ),
    .default(enabledTraits: ["Foundation"]),
  ],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // System libraries: module maps only, no C function bodies of our own.
    .systemLibrary(name: "CBluebonnetIntrinsics", path: "Sources/C/CBluebonnetIntrinsics"),
    .systemLibrary(name: "CBluebonnetLinux", path: "Sources/C/CBluebonnetLinux"),
    .systemLibrary(
      name: "CBluebonnetOpenSSL", path: "Sources/C/CBluebonnetOpenSSL", pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CBluebonnetGSSAPI", path: "Sources/C/CBluebonnetGSSAPI"),
    .systemLibrary(
      name: "CBluebonnetZlib", path: "Sources/C/CBluebonnetZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CBluebonnetBrotli", path: "Sources/C/CBluebonnetBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(
      name: "CBluebonnetBrotliEncoder", path: "Sources/C/CBluebonnetBrotliEncoder", pkgConfig: "libbrotlienc",
      providers: [.apt(["libbrotli-dev"])]),

    // The C library, whichever it is.
    .target(name: "BluebonnetLibc", swiftSettings: strict),
    // The wire, without I/O and without dependencies.
    .target(name: "BluebonnetHTTP1", dependencies: ["CBluebonnetIntrinsics"], swiftSettings: strict + plain),
    // What RFC 9110 and its neighbours say about requests and responses, without I/O, locks and clocks.
    .target(name: "BluebonnetSemantics", dependencies: ["BluebonnetHTTP1"], swiftSettings: strict),
    // How proxies are found and asked (RFC 9110 §9.3.6, RFC 1928), without I/O.
    .target(
      name: "BluebonnetProxies",
      dependencies: ["BluebonnetAuthentication", "BluebonnetHTTP1", "BluebonnetSemantics"],
      swiftSettings: memorySafe),
    // RFC 6455 and RFC 7692 without I/O.
    .target(
      name: "BluebonnetWebSocket",
      dependencies: ["BluebonnetHTTP1", "BluebonnetSemantics", "CBluebonnetZlib"], swiftSettings: strict),
    // A value under a mutex, for every module that shares one between threads.
    .target(name: "BluebonnetLocks", dependencies: ["BluebonnetLibc"], swiftSettings: strict),
    // Sockets, timers and the thread that owns them.
    .target(
      name: "BluebonnetEventLoop", dependencies: ["BluebonnetLibc", "BluebonnetLocks", "CBluebonnetLinux"],
      swiftSettings: strict),
    .target(
      name: "BluebonnetTLS", dependencies: ["BluebonnetLibc", "BluebonnetLocks", "CBluebonnetOpenSSL"],
      swiftSettings: strict),
    // Who asks, and how that is proved to an origin or a proxy, without I/O.
    .target(
      name: "BluebonnetAuthentication",
      dependencies: [
        "BluebonnetHTTP1", "BluebonnetLibc", "BluebonnetLocks", "BluebonnetSemantics", "BluebonnetTLS",
        "CBluebonnetGSSAPI", "CBluebonnetOpenSSL",
      ],
      swiftSettings: strict),
    .target(
      name: "BluebonnetContentCoding", dependencies: ["CBluebonnetZlib", "CBluebonnetBrotli"],
      swiftSettings: strict),
    // What only servers need, and bodies that are compressed: brotli's encoder is half a megabyte.
    .target(
      name: "BluebonnetContentEncoding",
      dependencies: ["BluebonnetContentCoding", "CBluebonnetBrotliEncoder", "CBluebonnetZlib"],
      swiftSettings: strict),
    // Where protocol meets sockets.
    .target(
      name: "BluebonnetTransport",
      dependencies: [
        "BluebonnetAuthentication", "BluebonnetContentCoding", "BluebonnetEventLoop", "BluebonnetHTTP1",
        "BluebonnetLibc", "BluebonnetLocks", "BluebonnetProxies", "BluebonnetSemantics", "BluebonnetTLS",
        "BluebonnetWebSocket",
      ],
      swiftSettings: strict),
    // A client without Foundation, for programs that count megabytes.
    .target(
      name: "BluebonnetCore",
      dependencies: [
        "BluebonnetContentCoding", "BluebonnetEventLoop", "BluebonnetHTTP1", "BluebonnetLocks",
        "BluebonnetSemantics", "BluebonnetTLS", "BluebonnetTransport",
      ],
      swiftSettings: strict),
    // The order of a load's work, without I/O.
    .target(
      name: "BluebonnetLoading",
      dependencies: ["BluebonnetAuthentication", "BluebonnetHTTP1", "BluebonnetSemantics"],
      swiftSettings: memorySafe),
    // Foundation, or what the API needs of it beyond FoundationEssentials.
    .target(
      name: "BluebonnetFoundation", dependencies: ["BluebonnetLibc", "BluebonnetLocks"],
      swiftSettings: strict),
    // Files on disk: private directories, temporary files, parts of downloads.
    .target(
      name: "BluebonnetFiles",
      dependencies: ["BluebonnetFoundation", "BluebonnetLibc", "BluebonnetLocks", "BluebonnetSemantics"],
      swiftSettings: strict),
    // Responses as Foundation names them.
    .target(
      name: "BluebonnetMessages",
      dependencies: ["BluebonnetFoundation", "BluebonnetHTTP1", "BluebonnetSemantics"],
      swiftSettings: memorySafe),
    // Responses that are kept: in memory, on disk, in a store of the caller's.
    .target(
      name: "BluebonnetCache",
      dependencies: [
        "BluebonnetEventLoop", "BluebonnetFiles", "BluebonnetFoundation", "BluebonnetHTTP1", "BluebonnetLibc",
        "BluebonnetLocks", "BluebonnetMessages", "BluebonnetSemantics",
      ],
      swiftSettings: strict),
    .target(
      name: "BluebonnetURLLoading",
      dependencies: [
        "BluebonnetAuthentication", "BluebonnetCache", "BluebonnetContentCoding", "BluebonnetContentEncoding",
        "BluebonnetEventLoop", "BluebonnetFiles", "BluebonnetFoundation", "BluebonnetHTTP1", "BluebonnetLibc",
        "BluebonnetLoading", "BluebonnetLocks", "BluebonnetMessages", "BluebonnetProxies",
        "BluebonnetSemantics", "BluebonnetTLS", "BluebonnetTransport", "BluebonnetWebSocket",
      ],
      swiftSettings: strict),
    .target(
      name: "Bluebonnet",
      dependencies: [
        "BluebonnetContentCoding", "BluebonnetEventLoop", "BluebonnetFiles", "BluebonnetFoundation",
        "BluebonnetHTTP1", "BluebonnetLibc", "BluebonnetLocks", "BluebonnetSemantics", "BluebonnetURLLoading",
      ],
      swiftSettings: strict),
    .target(
      name: "BluebonnetOrigin",
      dependencies: [
        "BluebonnetAuthentication", "BluebonnetContentCoding", "BluebonnetContentEncoding",
        "BluebonnetEventLoop", "BluebonnetHTTP1", "BluebonnetLibc", "BluebonnetLocks", "BluebonnetSemantics",
        "BluebonnetTLS", "BluebonnetTransport", "BluebonnetWebSocket",
      ],
      swiftSettings: strict),

    // Sessions that are answered within the process, to test what stands on them.
    .target(
      name: "BluebonnetMock",
      dependencies: [
        "Bluebonnet", "BluebonnetEventLoop", "BluebonnetFoundation", "BluebonnetLibc", "BluebonnetLocks",
        "BluebonnetOrigin", "BluebonnetTransport", "BluebonnetURLLoading",
      ],
      swiftSettings: memorySafe),

    // Publishers of responses; empty without the trait.
    .target(
      name: "BluebonnetOpenCombine",
      dependencies: [
        "Bluebonnet", "BluebonnetFoundation", "BluebonnetLocks",
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
        .product(
          name: "OpenCombineDispatch", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
      ],
      swiftSettings: memorySafe),

    // Attempts as monitors report them, for the three modules below.
    .target(
      name: "BluebonnetAttempts",
      dependencies: ["Bluebonnet", "BluebonnetFoundation", "BluebonnetLocks"], swiftSettings: memorySafe),
    // Monitors for swift-log, swift-metrics and swift-distributed-tracing; each empty without its trait.
    .target(
      name: "BluebonnetLogging",
      dependencies: [
        "Bluebonnet", "BluebonnetAttempts", "BluebonnetFoundation",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
      ],
      swiftSettings: memorySafe),
    .target(
      name: "BluebonnetMetrics",
      dependencies: [
        "Bluebonnet", "BluebonnetAttempts", "BluebonnetFoundation", "BluebonnetLocks",
        .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ],
      swiftSettings: memorySafe),
    .target(
      name: "BluebonnetTracing",
      dependencies: [
        "Bluebonnet", "BluebonnetAttempts", "BluebonnetFoundation", "BluebonnetHTTP1", "BluebonnetLocks",
        .product(
          name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
      ],
      swiftSettings: memorySafe),

    // Conversions for swift-http-types; empty without the trait.
    .target(
      name: "BluebonnetHTTPTypes",
      dependencies: [
        "Bluebonnet", "BluebonnetFoundation", "BluebonnetHTTP1", "BluebonnetMessages", "BluebonnetSemantics",
        "BluebonnetURLLoading",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["HTTPTypes"])),
      ],
      swiftSettings: memorySafe),
    // A session as a service of swift-service-lifecycle; empty without the trait.
    .target(
      name: "BluebonnetServiceLifecycle",
      dependencies: [
        "Bluebonnet",
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["ServiceLifecycle"])),
      ],
      swiftSettings: memorySafe),

    // A program like any other: it has what users have.
    .executableTarget(
      name: "bonnet",
      dependencies: [
        "Bluebonnet", "BluebonnetHTTP1", "BluebonnetLibc", "BluebonnetOrigin", "BluebonnetSemantics",
      ],
      packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "wirecheck", dependencies: ["BluebonnetWireVectors"], swiftSettings: memorySafe),

    // Tests.
    .target(
      name: "BluebonnetWireVectors", dependencies: ["BluebonnetHTTP1", "BluebonnetSemantics"],
      path: "Tests/WireVectors", swiftSettings: strict),
    .target(name: "BluebonnetTestSupport", path: "Tests/Support", swiftSettings: strict),
    // Stores of responses that are slow, or refuse, and what is put into them.
    .target(
      name: "BluebonnetTestStores",
      dependencies: ["BluebonnetCache", "BluebonnetFoundation", "BluebonnetLocks", "BluebonnetTestSupport"],
      path: "Tests/Stores", swiftSettings: strict),
    // Sessions whose time is the test's.
    .target(
      name: "BluebonnetTestClock",
      dependencies: ["BluebonnetEventLoop", "BluebonnetTestSupport", "BluebonnetURLLoading"],
      path: "Tests/Clock", swiftSettings: strict),
    // Origins without sockets, and sessions that reach them.
    .target(
      name: "BluebonnetTestNetwork",
      dependencies: [
        "BluebonnetEventLoop", "BluebonnetLocks", "BluebonnetOrigin", "BluebonnetTLS", "BluebonnetTransport",
        "BluebonnetURLLoading",
      ],
      path: "Tests/Network", swiftSettings: strict),
    // An authority that says what has become of its certificates.
    .target(
      name: "BluebonnetTestAuthority", dependencies: ["BluebonnetTLS", "CBluebonnetOpenSSL"],
      path: "Tests/Authority", swiftSettings: strict),
    tests(of: "BluebonnetHTTP1", and: ["BluebonnetTestSupport", "BluebonnetWireVectors"]),
    tests(of: "BluebonnetSemantics", and: ["BluebonnetHTTP1", "BluebonnetTestSupport"]),
    tests(of: "BluebonnetProxies", and: ["BluebonnetHTTP1"]),
    tests(of: "BluebonnetAuthentication", and: ["BluebonnetHTTP1", "BluebonnetSemantics"]),
    tests(of: "BluebonnetWebSocket", and: ["BluebonnetTestSupport"]),
    tests(of: "BluebonnetFoundation", and: ["BluebonnetLocks"]),
    tests(of: "BluebonnetEventLoop", and: ["BluebonnetTestSupport"]),
    tests(
      of: "BluebonnetTLS", and: ["BluebonnetTestAuthority", "BluebonnetTestSupport", "CBluebonnetOpenSSL"]),
    tests(of: "BluebonnetContentCoding", and: ["BluebonnetContentEncoding", "BluebonnetTestSupport"]),
    tests(
      of: "BluebonnetTransport",
      and: [
        "BluebonnetAuthentication", "BluebonnetContentCoding", "BluebonnetContentEncoding",
        "BluebonnetEventLoop", "BluebonnetHTTP1",
        "BluebonnetLocks",
        "BluebonnetOrigin", "BluebonnetProxies", "BluebonnetTLS", "BluebonnetTestClock",
        "BluebonnetTestNetwork", "BluebonnetTestSupport",
        "BluebonnetWebSocket", "CBluebonnetOpenSSL",
      ]),
    tests(
      of: "BluebonnetLoading",
      and: ["BluebonnetAuthentication", "BluebonnetHTTP1", "BluebonnetSemantics", "BluebonnetTestSupport"]),
    tests(of: "BluebonnetCore", and: ["BluebonnetOrigin", "BluebonnetTestSupport"]),
    tests(
      of: "BluebonnetFiles",
      and: ["BluebonnetFoundation", "BluebonnetSemantics", "BluebonnetTestSupport"]),
    tests(
      of: "BluebonnetCache",
      and: [
        "BluebonnetEventLoop", "BluebonnetFoundation", "BluebonnetHTTP1", "BluebonnetLocks",
        "BluebonnetMessages", "BluebonnetTestStores", "BluebonnetTestSupport",
      ]),
    tests(
      of: "BluebonnetURLLoading",
      and: [
        "BluebonnetCache", "BluebonnetFiles", "BluebonnetTestStores",
        "BluebonnetContentCoding", "BluebonnetContentEncoding", "BluebonnetEventLoop", "BluebonnetFoundation",
        "BluebonnetHTTP1",
        "BluebonnetLocks", "BluebonnetOrigin", "BluebonnetSemantics", "BluebonnetTLS",
        "BluebonnetTestAuthority", "BluebonnetTestClock", "BluebonnetTestNetwork", "BluebonnetTestSupport",
        "BluebonnetTransport", "BluebonnetWebSocket",
      ]),
    tests(
      of: "Bluebonnet",
      and: [
        "BluebonnetContentCoding", "BluebonnetContentEncoding", "BluebonnetEventLoop", "BluebonnetFoundation",
        "BluebonnetHTTP1",
        "BluebonnetLocks", "BluebonnetOrigin", "BluebonnetTLS",
        "BluebonnetTestAuthority",
        "BluebonnetTestClock", "BluebonnetTestNetwork", "BluebonnetTestSupport",
        "BluebonnetURLLoading", "BluebonnetWireVectors",
      ]),
    tests(
      of: "BluebonnetOrigin",
      and: [
        "BluebonnetContentCoding", "BluebonnetSemantics", "BluebonnetTLS",
        "BluebonnetTestSupport",
      ]),
    tests(
      of: "BluebonnetMock",
      and: ["Bluebonnet", "BluebonnetFoundation", "BluebonnetOrigin", "BluebonnetTestSupport"]),
    tests(
      of: "BluebonnetOpenCombine",
      and: [
        "Bluebonnet", "BluebonnetFoundation", "BluebonnetLocks", "BluebonnetOrigin", "BluebonnetTestNetwork",
        "BluebonnetTestSupport",
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
      ]),
    tests(
      of: "BluebonnetLogging",
      and: [
        "Bluebonnet", "BluebonnetAttempts", "BluebonnetFoundation", "BluebonnetOrigin",
        "BluebonnetTestNetwork",
        "BluebonnetTestSupport",
        .product(name: "InMemoryLogging", package: "swift-log", condition: .when(traits: ["Logging"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
      ]),
    tests(
      of: "BluebonnetMetrics",
      and: [
        "Bluebonnet", "BluebonnetFoundation", "BluebonnetOrigin", "BluebonnetTestNetwork",
        "BluebonnetTestSupport",
        .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ]),
    tests(
      of: "BluebonnetTracing",
      and: [
        "Bluebonnet", "BluebonnetFoundation", "BluebonnetLocks", "BluebonnetOrigin", "BluebonnetTestNetwork",
        "BluebonnetTestSupport",
        .product(
          name: "InMemoryTracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
        .product(
          name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
      ]),
    tests(
      of: "BluebonnetHTTPTypes",
      and: [
        "Bluebonnet", "BluebonnetFoundation", "BluebonnetOrigin", "BluebonnetTestNetwork",
        "BluebonnetTestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["HTTPTypes"])),
      ]),
    tests(
      of: "BluebonnetServiceLifecycle",
      and: [
        "Bluebonnet", "BluebonnetFoundation", "BluebonnetLocks", "BluebonnetOrigin", "BluebonnetTestClock",
        "BluebonnetTestNetwork", "BluebonnetTestSupport",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["ServiceLifecycle"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["ServiceLifecycle"])),
        .product(
          name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
          condition: .when(traits: ["ServiceLifecycle"])),
      ]),
    .testTarget(
      name: "BonnetTests",
      dependencies: ["Bluebonnet", "BluebonnetOrigin", "BluebonnetTestSupport", "bonnet"],
      swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests", dependencies: ["Bluebonnet", "BluebonnetTestSupport"],
      swiftSettings: strict),
    // Tells what the API says in networks that are made for tests.
    .executableTarget(
      name: "NetworkWitness", dependencies: ["Bluebonnet", "BluebonnetOrigin"], path: "Tests/NetworkWitness",
      packageAccess: false, swiftSettings: strict),
    // One GET with what has no Foundation: a test looks at what it loads.
    .executableTarget(
      name: "CoreWitness", dependencies: ["BluebonnetCore"], path: "Tests/CoreWitness", packageAccess: false,
      swiftSettings: strict),
    // The fuzzers' invariants on their corpus; the fuzzers are the package in Tests/Fuzzing.
    .testTarget(
      name: "FuzzingTests",
      dependencies: [
        "Bluebonnet", "BluebonnetAuthentication", "BluebonnetCache", "BluebonnetHTTP1", "BluebonnetOrigin",
        "BluebonnetProxies", "BluebonnetSemantics", "BluebonnetTLS", "BluebonnetURLLoading",
        "BluebonnetWebSocket",
      ],
      path: "Tests/Fuzzing/Targets", exclude: ["Driver"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// A sanitizer's build takes minutes for tests that are not run in it: a list of them, by name, leaves them out.
for name in Context.environment["BLUEBONNET_WITHOUT_TESTS"]?.split(separator: " ") ?? [] {
  guard let place = package.targets.firstIndex(where: { $0.type == .test && $0.name == name }) else {
    fatalError("BLUEBONNET_WITHOUT_TESTS: \(name) is none of the package's test targets")
  }
  package.targets.remove(at: place)
}
