// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

/// What the kernel's answers come to.
@Suite struct NetworkPathTests {
  private static let wired = NetworkInterface(index: 7, name: "eth0", kind: .wired)

  private func path(_ route: NetworkRoute, flags: UInt32 = 0x41, isIPv6: Bool = false) -> NetworkPath {
    let link = NetworkLink(index: 7, hardwareType: 1, flags: flags, name: "eth0")
    var path = NetworkPath()
    path.add(route, isIPv6: isIPv6, interfaces: [7: (link, Self.wired)])
    return path
  }

  @Test func aRouterLeadsOn() {
    let path = path(
      NetworkRoute(fate: .unicast, interface: 7, gateway: [10, 0, 0, 1], source: [10, 0, 0, 2]))
    #expect(path.isSatisfied && path.hasIPv4 && !path.hasIPv6 && !path.isDirect && !path.isLocal)
    #expect(path.interfaces == [Self.wired])
  }

  @Test func onTheLinkItself() {
    let path = path(NetworkRoute(fate: .unicast, interface: 7))
    #expect(path.isSatisfied && path.isDirect)
  }

  @Test func thisMachine() {
    let path = path(NetworkRoute(fate: .local, interface: 7), isIPv6: true)
    #expect(path.isSatisfied && path.isLocal && path.hasIPv6)
  }

  /// Down, up without a carrier, running without being up.
  @Test(arguments: [0, 0x1, 0x40] as [UInt32]) func aLinkThatIsDownLeadsNowhere(flags: UInt32) {
    #expect(!path(NetworkRoute(fate: .unicast, interface: 7), flags: flags).isSatisfied)
    #expect(!path(NetworkRoute(fate: .local, interface: 7), flags: flags).isSatisfied)
  }

  @Test func whatIsRefusedLeadsNowhere() {
    #expect(!path(NetworkRoute(fate: .other, interface: 7)).isSatisfied)
    #expect(!path(NetworkRoute(fate: .unicast, interface: nil)).isSatisfied)
    #expect(!path(NetworkRoute(fate: .unicast, interface: 8)).isSatisfied)
  }

  /// A link-local address gets no answer from beyond a router; on its own link it does.
  @Test func aLinkLocalSource() {
    let linkLocal = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
    let router = NetworkRoute(fate: .unicast, interface: 7, gateway: linkLocal, source: linkLocal)
    #expect(!path(router, isIPv6: true).isSatisfied)
    let link = NetworkRoute(fate: .unicast, interface: 7, source: linkLocal)
    #expect(path(link, isIPv6: true).isSatisfied)
  }

  @Test func anInterfaceIsNamedOnce() {
    let link = NetworkLink(index: 7, hardwareType: 1, flags: 0x41, name: "eth0")
    var path = NetworkPath()
    for isIPv6 in [false, true, false] {
      path.add(
        NetworkRoute(fate: .unicast, interface: 7), isIPv6: isIPv6, interfaces: [7: (link, Self.wired)])
    }
    #expect(path.interfaces == [Self.wired] && path.hasIPv4 && path.hasIPv6)
  }

  @Test func whatHostsStandFor() {
    #expect(NetworkDestination(host: "127.0.0.1") == .addresses([.loopback(port: 0)]))
    #expect(NetworkDestination(host: "localhost") == .addresses([.loopback6(port: 0), .loopback(port: 0)]))
    #expect(NetworkDestination(host: "a.invalid") == .internet)
    #expect(NetworkDestination.internet.addresses.map(\.host) == ["198.41.0.4", "2001:503:ba3e::2:30"])
    #expect(
      NetworkDestination.internet.addresses.compactMap(\.networkBytes)
        == [[198, 41, 0, 4], [0x20, 1, 5, 3, 0xBA, 0x3E, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x30]])
  }
}
