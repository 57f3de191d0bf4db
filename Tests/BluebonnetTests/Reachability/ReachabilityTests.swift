// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

/// What needs no network to be taken up and down; the rest is among the conformance tests.
@Suite struct ReachabilityTests {
  private typealias Status = NetworkReachabilityManager.NetworkReachabilityStatus

  private static func path(_ kind: NetworkInterface.Kind, fate: NetworkRoute.Fate, gateway: [UInt8]?)
    -> NetworkPath
  {
    var path = NetworkPath()
    path.add(
      NetworkRoute(fate: fate, interface: 7, gateway: gateway), isIPv6: false,
      interfaces: [
        7: (
          NetworkLink(index: 7, hardwareType: 1, flags: 0x41, name: "x"),
          NetworkInterface(index: 7, name: "x", kind: kind)
        )
      ])
    return path
  }

  /// A way that has to be established first counts if no person is needed for that.
  @Test(
    arguments: [
      ([.reachable], true), ([.reachable, .connectionRequired], false),
      ([.reachable, .connectionRequired, .connectionOnTraffic], true),
      ([.reachable, .connectionRequired, .connectionOnDemand], true),
      ([.reachable, .connectionRequired, .connectionOnDemand, .interventionRequired], false),
      ([.reachable, .connectionRequired, .interventionRequired], false), ([.connectionOnTraffic], false),
      ([], false),
    ] as [(SCNetworkReachabilityFlags, Bool)])
  func statusOfFlags(flags: SCNetworkReachabilityFlags, isReachable: Bool) {
    let status = NetworkReachabilityManager.NetworkReachabilityStatus(flags)
    #expect(status == (isReachable ? .reachable(.ethernetOrWiFi) : .notReachable))
  }

  @Test func flags() {
    let router: [UInt8] = [10, 0, 0, 1]
    let table: [(NetworkPath, SCNetworkReachabilityFlags)] = [
      (NetworkPath(), []),
      (Self.path(.wired, fate: .unicast, gateway: router), .reachable),
      (Self.path(.wireless, fate: .unicast, gateway: nil), [.reachable, .isDirect]),
      (Self.path(.cellular, fate: .unicast, gateway: router), [.reachable, .isWWAN]),
      (Self.path(.other, fate: .unicast, gateway: router), .reachable),
      (Self.path(.loopback, fate: .local, gateway: nil), [.reachable, .isLocalAddress, .isDirect]),
    ]
    for (path, flags) in table { #expect(SCNetworkReachabilityFlags(path) == flags) }
    #expect(Status([]) == .notReachable)
    #expect(Status([.reachable]) == .reachable(.ethernetOrWiFi))
    #expect(Status([.reachable, .isWWAN]) == .reachable(.cellular))
    #expect(Status([.isWWAN]) == .notReachable)
    // Apple's numbers.
    #expect(SCNetworkReachabilityFlags([.reachable, .isDirect, .isWWAN]).rawValue == 0x6_0002)
    #expect(SCNetworkReachabilityFlags.transientConnection.rawValue == 1)
    #expect(SCNetworkReachabilityFlags.connectionAutomatic.rawValue == 8)
  }

  @Test func pathsKnowTheKindsOfTheirInterfaces() {
    let kinds: [(NetworkInterface.Kind, NWInterface.InterfaceType)] = [
      (.wired, .wiredEthernet), (.wireless, .wifi), (.cellular, .cellular), (.loopback, .loopback),
      (.other, .other),
    ]
    for (kind, type) in kinds {
      let path = NWPath(Self.path(kind, fate: .unicast, gateway: [10, 0, 0, 1]))
      #expect(kinds.filter { path.usesInterfaceType($0.1) }.map(\.1) == [type])
    }
    #expect(kinds.allSatisfy { !NWPath(NetworkPath()).usesInterfaceType($0.1) })
  }

  @Test(arguments: ["", "http://host", "host:80", "host/path", "a b", "[::1]", "a@b", "a%41", "a\u{0}b"])
  func whatIsNoHost(host: String) { #expect(NetworkReachabilityManager(host: host) == nil) }

  @Test(arguments: ["host.test", "localhost", "127.0.0.1", "::1", "bücher.test", "host.test."])
  func hosts(host: String) throws {
    let manager = try #require(NetworkReachabilityManager(host: host))
    #expect(manager.status != .unknown && manager.flags != nil)
  }

  /// The machine of every test has a loopback interface.
  @Test func thisMachineIsReachable() throws {
    let manager = try #require(NetworkReachabilityManager(host: "127.0.0.1"))
    #expect(manager.isReachable && manager.isReachableOnEthernetOrWiFi && !manager.isReachableOnCellular)
    #expect(manager.status == .reachable(.ethernetOrWiFi))
    #expect(manager.flags?.contains(.isLocalAddress) == true)
  }

  @Test func aListenerHearsTheStatusAndThenNothing() async throws {
    let manager = try #require(NetworkReachabilityManager(host: "127.0.0.1"))
    let heard = Recorder<Status>()
    #expect(manager.startListening(onQueue: .global()) { heard.note($0) })
    await Eventually.expect("it is told") { heard.entries.count == 1 }
    // Whoever comes in its place is told, too.
    let others = Recorder<Status>()
    #expect(manager.startListening(onQueue: .global()) { others.note($0) })
    await Eventually.expect("it is told, too") { others.entries.count == 1 }
    manager.stopListening()
    manager.stopListening()
    #expect(heard.entries == [.reachable(.ethernetOrWiFi)] && others.entries == heard.entries)
  }

  @Test func theDefaultOne() {
    #expect(NetworkReachabilityManager.default != nil)
    #expect(NetworkReachabilityManager.default === NetworkReachabilityManager.default)
  }

  /// What a handler keeps may ask the monitor at its end.
  @Test func aHandlerThatIsReplacedMayAsk() {
    let monitor = NWPathMonitor()
    let heard = Signal()
    let word = {
      LastWord { [weak monitor] in
        monitor?.cancel()
        heard.raise()
      }
    }
    monitor.pathUpdateHandler = { [word = word()] _ in withExtendedLifetime(word) {} }
    #expect(Signal.isRaised { monitor.pathUpdateHandler = nil })
    #expect(heard.wait(seconds: 5))
  }

  @Test func aMonitorTellsThePath() async {
    let monitor = NWPathMonitor()
    let told = Recorder<NWPath>()
    monitor.pathUpdateHandler = { told.note($0) }
    #expect(monitor.queue == nil)
    let queue = DispatchQueue(label: "test.path")
    monitor.start(queue: queue)
    monitor.start(queue: .global())
    #expect(monitor.queue === queue)
    await Eventually.expect("it is told") { told.entries.count == 1 }
    #expect(monitor.currentPath == told.entries.first)
    monitor.cancel()
    monitor.start(queue: .global())
    #expect(told.entries.count == 1)
  }
}
