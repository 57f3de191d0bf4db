// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

/// Links are taken up and down in a network that is made for it; a program in it tells what the API says.
///
/// A program of its own, because threads inherit their network, and those of a queue are anybody's.
@Suite(.enabled(if: NetworkNamespace.isPermitted))
struct ReachabilityTests {
  private static let witness = Program.product("NetworkWitness")

  private func witness(_ arguments: String..., in network: NetworkNamespace) async throws -> LiveProgram {
    switch arguments.count {
    case 1: try await LiveProgram.start(Self.witness, arguments[0], in: network)
    default: try await LiveProgram.start(Self.witness, arguments[0], arguments[1], in: network)
    }
  }

  @Test func aManagerFollowsTheInternet() async throws {
    let network = try await NetworkNamespace()
    let witness = try await witness("manager", in: network)
    await Eventually.expect("not yet") { witness.lines == ["notReachable"] }
    try await network.plugIn()
    try await network.ip("route add default via 192.0.2.254")
    await Eventually.expect("there") { witness.lines.count == 2 }
    try await network.ip("link set v1 down")
    await Eventually.expect("the cable is out") { witness.lines.count == 3 }
    try await network.ip("link set v1 up")
    await Eventually.expect("and in") { witness.lines.count == 4 }
    try await network.ip("route delete default")
    await Eventually.expect("there is no router") { witness.lines.count == 5 }
    let there =
      "reachable(Bluebonnet.NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType.ethernetOrWiFi)"
    #expect(witness.lines == ["notReachable", there, "notReachable", there, "notReachable"])
    // What it says when it is asked is what is the case, also when it does not listen.
    witness.tell("stop")
    await Eventually.expect("it is asked") { witness.lines.count == 6 }
    try await network.ip("route add default via 192.0.2.254")
    witness.tell("ask")
    await Eventually.expect("it is asked again") { witness.lines.count == 7 }
    #expect(witness.lines.suffix(2) == ["now false", "now true"])
  }

  @Test func aManagerFollowsAHost() async throws {
    let network = try await NetworkNamespace()
    let witness = try await witness("manager", "192.0.2.7", in: network)
    await Eventually.expect("not yet") { witness.lines == ["notReachable"] }
    try await network.plugIn()
    await Eventually.expect("on the link") { witness.lines.count == 2 }
    try await network.ip("link set v0 down")
    await Eventually.expect("not any more") { witness.lines.count == 3 }
    #expect(witness.lines.last == "notReachable")
  }

  @Test func hostsAndTheirFlags() async throws {
    let network = try await NetworkNamespace()
    try await network.plugIn()
    let flags: @Sendable (String) async throws -> String = { host in
      try await network.run { try Self.witness.run("status", host).text }
    }
    let there =
      "reachable(Bluebonnet.NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType.ethernetOrWiFi)"
    #expect(try await flags("192.0.2.7") == "192.0.2.7 \(there) \(0x2_0002)\n")
    #expect(try await flags("198.51.100.1") == "198.51.100.1 notReachable 0\n")
    #expect(try await flags("localhost") == "localhost notReachable 0\n", "lo is down")
    #expect(try await flags("host.test") == "host.test notReachable 0\n")
    try await network.ip("link set lo up")
    #expect(try await flags("localhost") == "localhost \(there) \(0x3_0002)\n")
    try await network.ip("route add default via 192.0.2.254")
    #expect(try await flags("198.51.100.1") == "198.51.100.1 \(there) 2\n")
    #expect(try await flags("host.test") == "host.test \(there) 2\n")
  }

  @Test func monitorsFollowKindsOfInterfaces() async throws {
    let network = try await NetworkNamespace()
    let witness = try await witness("monitors", in: network)
    await Eventually.expect("not yet") {
      witness.lines.sorted() == ["all unsatisfied", "others unsatisfied", "wired unsatisfied"]
    }
    try await network.plugIn()
    try await network.ip("route add default via 192.0.2.254")
    await Eventually.expect("there") {
      witness.lines.dropFirst(3).sorted() == [
        "all satisfied v0 wiredEthernet", "wired satisfied v0 wiredEthernet",
      ]
    }
    try await network.ip("link delete v0")
    await Eventually.expect("gone") {
      witness.lines.dropFirst(5).sorted() == ["all unsatisfied", "wired unsatisfied"]
    }
  }

  /// Connections fail at once then; with `lo` down, they would only get no answer.
  private func leaveNoRouteToThisMachine(in network: NetworkNamespace) async throws {
    try await network.ip("route delete local 127.0.0.1 dev lo table local")
    try await network.ip("route delete local 127.0.0.0/8 dev lo table local")
  }

  /// There is a server, and for a while nothing leads to it. Nobody looks again before the network changes.
  @Test func aRequestWaitsForConnectivity() async throws {
    let network = try await NetworkNamespace()
    try await network.ip("link set lo up")
    let witness = try await witness("wait", in: network)
    await Eventually.expect("it listens") { witness.lines == ["ready"] }
    try await leaveNoRouteToThisMachine(in: network)
    witness.tell("go")
    await Eventually.expect("it waits") { witness.lines.count == 2 }
    try await network.ip("route add local 127.0.0.0/8 dev lo table local")
    await Eventually.expect("it goes on") { witness.lines == ["ready", "waiting", "done 200"] }
  }

  @Test func anOfflineRequestIsTriedAgain() async throws {
    let network = try await NetworkNamespace()
    try await network.ip("link set lo up")
    let witness = try await witness("offline", in: network)
    await Eventually.expect("it listens") { witness.lines == ["ready"] }
    try await leaveNoRouteToThisMachine(in: network)
    witness.tell("go")
    await Eventually.expect("it has failed") { witness.lines.count == 2 }
    // The way to the server is there, but none to the internet, which is what is waited for.
    try await network.ip("route add local 127.0.0.0/8 dev lo table local")
    try await network.plugIn()
    #expect(witness.lines == ["ready", "failed -1009"])
    try await network.ip("route add default via 192.0.2.254")
    await Eventually.expect("it is tried again") { witness.lines == ["ready", "failed -1009", "done 200"] }
  }
}
