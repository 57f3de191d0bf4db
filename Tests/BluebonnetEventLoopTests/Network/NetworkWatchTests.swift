// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Synchronization
import Testing

@Suite(.enabled(if: NetworkNamespace.isPermitted)) struct NetworkWatchTests {
  private final class Changes: Sendable {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .acquiring) }
    func count(_ isHeld: Bool) { if isHeld { number.add(1, ordering: .acquiringAndReleasing) } }
  }

  @Test func changesAreTold() async throws {
    let network = try await NetworkNamespace()
    let loop = EventLoop(name: "test")
    defer { loop.stop() }
    let changes = Changes()
    let watch = try await network.run {
      try NetworkWatch(loop: loop) { changes.count(loop.isHeld) }
    }
    #expect(changes.count == 0)
    for (number, command) in [
      "link set lo up", "link add v0 type veth peer name v1", "link set v0 up", "link set v1 up",
      "address add 192.0.2.1/24 dev v0", "route add default via 192.0.2.254", "route delete default",
      "link delete v0",
    ].enumerated() {
      let before = changes.count
      try await network.ip(command)
      await Eventually.expect("\(number) \(command)") { changes.count > before }
    }
    watch.stop()
    watch.stop()
    let after = changes.count
    loop.stopClock()
    // The kernel tells of changes before the command ends; they would settle within this.
    try await network.ip("link set lo down")
    loop.advance(by: NetworkWatch.settlingTime * 2)
    #expect(changes.count == after)
  }

  /// More than the socket has room for: what is lost is a change, and the watch goes on.
  @Test func aFloodIsTold() async throws {
    let network = try await NetworkNamespace()
    try await network.plugIn()
    let loop = EventLoop(name: "test")
    defer { loop.stop() }
    let changes = Changes()
    let watch = try await network.run { try NetworkWatch(loop: loop) { changes.count(loop.isHeld) } }
    defer { watch.stop() }
    // Nobody reads meanwhile.
    let isFlooded = Signal()
    loop.enqueue { #expect(isFlooded.wait(seconds: 60)) }
    let routes = (0..<4000).map { "route add 10.\($0 / 200).\($0 % 200).0/24 dev v0" }
    try await network.ip(batch: routes)
    isFlooded.raise()
    await Eventually.expect("it is told") { changes.count > 0 }
    let before = changes.count
    try await network.ip("link set v1 down")
    await Eventually.expect("it goes on") { changes.count > before }
  }

  @Test func aStoppedLoopTakesNone() throws {
    let loop = EventLoop(name: "test")
    loop.stop()
    #expect(throws: SystemError.self) { _ = try NetworkWatch(loop: loop) {} }
  }
}
