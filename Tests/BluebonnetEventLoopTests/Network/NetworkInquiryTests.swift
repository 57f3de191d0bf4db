// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Testing

/// The kernel's own answers, in a network that is made for it.
@Suite(.enabled(if: NetworkNamespace.isPermitted)) struct NetworkInquiryTests {
  private func path(
    _ network: NetworkNamespace, to destination: NetworkDestination = .internet, by rule: InterfaceRule = .any
  ) async throws -> NetworkPath {
    try await network.run {
      var inquiry = try NetworkInquiry()
      return try inquiry.path(to: destination, by: rule)
    }
  }

  @Test func nothingIsUp() async throws {
    let network = try await NetworkNamespace()
    #expect(try await path(network) == NetworkPath())
    #expect(try await path(network, to: NetworkDestination(host: "127.0.0.1")) == NetworkPath())
  }

  @Test func thisMachine() async throws {
    let network = try await NetworkNamespace()
    try await network.ip("link set lo up")
    let path = try await path(network, to: NetworkDestination(host: "localhost"))
    #expect(path.isLocal && path.interfaces.map(\.kind) == [.loopback])
    #expect(try await self.path(network) == NetworkPath())
  }

  @Test func aCable() async throws {
    let network = try await NetworkNamespace()
    try await network.plugIn()
    #expect(try await path(network) == NetworkPath())
    let neighbour = try await path(network, to: NetworkDestination(host: "192.0.2.7"))
    #expect(neighbour.isDirect && neighbour.interfaces.map(\.name) == ["v0"])
    let own = try await path(network, to: NetworkDestination(host: "192.0.2.1"))
    #expect(!own.isSatisfied, "lo is down")

    try await network.ip("route add default via 192.0.2.254")
    let internet = try await path(network)
    #expect(internet.hasIPv4 && !internet.hasIPv6 && !internet.isDirect)
    #expect(internet.interfaces.map(\.name) == ["v0"] && internet.interfaces.map(\.kind) == [.wired])

    // Its route stays, but nothing is at the other end.
    try await network.ip("link set v1 down")
    try await network.waitForState("LOWERLAYERDOWN")
    #expect(try await path(network) == NetworkPath())
    try await network.ip("link set v1 up")
    try await network.waitForState("UP")
    #expect(try await path(network) == internet)
    try await network.ip("link set v0 down")
    #expect(try await path(network) == NetworkPath())
  }

  /// Two halves of all addresses stand for a default route, as tunnels like it.
  @Test func whatStandsForADefaultRoute() async throws {
    let network = try await NetworkNamespace()
    try await network.plugIn()
    try await network.ip("route add 0.0.0.0/1 via 192.0.2.254")
    #expect(!(try await path(network).isSatisfied))
    try await network.ip("route add 128.0.0.0/1 via 192.0.2.254")
    #expect(try await path(network).isSatisfied)
  }

  @Test(arguments: ["blackhole", "unreachable", "prohibit", "throw"])
  func aRouteThatRefuses(kind: String) async throws {
    let network = try await NetworkNamespace()
    try await network.plugIn()
    try await network.ip("route add \(kind) default")
    #expect(try await path(network) == NetworkPath())
  }

  @Test func kindsOfInterfaces() async throws {
    let network = try await NetworkNamespace()
    try await network.plugIn()
    try await network.ip("route add default via 192.0.2.254")
    #expect(try await path(network, by: .required(.wired)).isSatisfied)
    #expect(!(try await path(network, by: .required(.wireless)).isSatisfied))
    #expect(!(try await path(network, by: .prohibited([.wired])).isSatisfied))
    #expect(try await path(network, by: .prohibited([.cellular])).isSatisfied)
    // One that is up, and that no route goes through.
    try await network.ip("link add w0 type veth peer name w1")
    try await network.ip("link set w0 up")
    try await network.ip("link set w1 up")
    // Up or not, no route goes through it.
    #expect(try await path(network, by: .required(.wired)).interfaces.map(\.name) == ["v0"])
    try await network.ip("route add default dev w0 metric 9")
    #expect(try await path(network).interfaces.map(\.name) == ["v0"])
    var names: [String] = []
    let end = ContinuousClock.now + .seconds(Eventually.limit)
    while names.count < 2, ContinuousClock.now < end {
      names = try await path(network, by: .required(.wired)).interfaces.map(\.name)
    }
    #expect(names == ["v0", "w0"])
  }

  @Test func version6() async throws {
    let network = try await NetworkNamespace()
    try await network.plugIn()
    do {
      try await network.ip("-6 address add fe80::1/64 dev v0 nodad")
      try await network.ip("-6 route add default via fe80::2 dev v0")
    } catch {
      // A kernel without it has nothing to say about it.
      return
    }
    #expect(!(try await path(network).isSatisfied), "a link-local address leads nowhere beyond a router")
    try await network.ip("-6 address add 2001:db8::1/64 dev v0 nodad")
    let path = try await path(network)
    #expect(path.hasIPv6 && !path.hasIPv4 && path.interfaces.map(\.name) == ["v0"])
    #expect(try await self.path(network, by: .required(.wired)).hasIPv6)
    let neighbour = try await self.path(network, to: NetworkDestination(host: "2001:db8::7"))
    #expect(neighbour.isDirect && neighbour.hasIPv6)
  }
}
