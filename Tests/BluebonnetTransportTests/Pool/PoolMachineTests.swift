// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

@Suite struct PoolMachineTests {
  typealias Machine = PoolMachine<Int, String>
  let now = MonotonicTime(nanoseconds: 100)

  @Test func connectsUpToTheLimitThenMakesRequestsWait() {
    var machine = Machine(limit: 2)
    #expect(machine.acquire("a") == .connect)
    #expect(machine.acquire("b") == .connect)
    #expect(machine.acquire("c") == .wait)
    #expect(machine.waitingCount == 1)
  }

  @Test func aReturnedConnectionServesTheLongestWaiter() {
    var machine = Machine(limit: 1)
    _ = machine.acquire("a")
    _ = machine.acquire("b")
    _ = machine.acquire("c")
    #expect(machine.release(1, reusable: true, at: now) == .serve("b"))
    #expect(machine.release(1, reusable: true, at: now) == .serve("c"))
    #expect(machine.release(1, reusable: true, at: now) == .park)
    #expect(machine.leased == 0)
  }

  @Test func aLostConnectionIsReplacedForTheNextWaiter() {
    var machine = Machine(limit: 1)
    _ = machine.acquire("a")
    _ = machine.acquire("b")
    #expect(machine.release(1, reusable: false, at: now) == .connect("b"))
    #expect(machine.leased == 1)
    #expect(machine.connectFailed() == .none)
    #expect(machine.isEmpty)
  }

  /// What was another route's counts from then on as if it had been made here.
  @Test func aConnectionOfAnotherRouteIsTakenOver() {
    var machine = Machine(limit: 2)
    _ = machine.acquire("a")
    #expect(machine.mayAdopt)
    machine.adopt()
    #expect(!machine.mayAdopt)
    #expect(machine.acquire("b") == .wait)
    #expect(machine.release(7, reusable: true, at: now) == .serve("b"))
    #expect(machine.release(7, reusable: true, at: now) == .park)
    #expect(!machine.mayAdopt && machine.leased == 1 && machine.idle.map(\.connection) == [7])
  }

  @Test func aConnectionOfAnotherRouteServesWhoeverWaits() {
    var machine = Machine(limit: 2)
    for name in ["a", "b"] { #expect(machine.acquire(name, mayConnect: false) == .wait) }
    let first = machine.adoptWaiting()
    #expect(first == "a" && machine.leased == 1 && machine.waitingCount == 1)
    // What must have a new one is not passed over.
    _ = machine.cancel("b")
    _ = machine.acquire("c")
    machine.postpone("c", fresh: true)
    #expect(machine.acquire("d", mayConnect: false) == .wait)
    let second = machine.adoptWaiting()
    #expect(second == nil && machine.leased == 1 && machine.waitingCount == 2)
  }

  @Test func leasesTheMostRecentlyUsedConnection() {
    var machine = Machine(limit: 3)
    for name in ["a", "b"] { _ = machine.acquire(name) }
    _ = machine.release(1, reusable: true, at: now)
    _ = machine.release(2, reusable: true, at: now)
    #expect(machine.acquire("c") == .lease(2))
    #expect(machine.acquire("d") == .lease(1))
  }

  @Test func aPostponedRequestIsTheNextInTurn() {
    var machine = Machine(limit: 1)
    _ = machine.acquire("a")
    _ = machine.acquire("b")
    machine.postpone("a", fresh: false)
    #expect(machine.leased == 0)
    let next = machine.connectWaiting()
    #expect(next == "a")
    #expect(machine.release(1, reusable: true, at: now) == .serve("b"))
  }

  @Test func aPostponedFreshRequestReplacesTheConnectionThatComesBack() {
    var machine = Machine(limit: 2)
    _ = machine.acquire("a")
    _ = machine.acquire("b")
    machine.postpone("b", fresh: true)
    #expect(machine.release(1, reusable: true, at: now) == .connect("b"))
    #expect(machine.leased == 1 && machine.idle.isEmpty)
  }

  @Test func withoutRoomElsewhereNobodyConnects() {
    var machine = Machine(limit: 2)
    #expect(machine.needsConnection)
    #expect(machine.acquire("a", mayConnect: false) == .wait)
    #expect(machine.needsConnection)
    #expect(machine.nextWaiter == "a")
    #expect(machine.connectWaiting() == "a")
    #expect(machine.connectWaiting() == nil)
    #expect(machine.release(1, reusable: true, at: now) == .park)
    #expect(machine.acquire("b", mayConnect: false) == .lease(1), "what is there may be used")
    machine.yield()
    #expect(machine.isEmpty)
  }

  @Test func lendsTheConnectionThatWasUsedLast() {
    var machine = Machine(limit: 2)
    for name in ["a", "b"] { _ = machine.acquire(name) }
    _ = machine.release(2, reusable: true, at: now)
    _ = machine.release(1, reusable: true, at: now)
    #expect(machine.lendIdle() == 1)
    #expect(machine.lendIdle() == 2)
    #expect(machine.lendIdle() == nil && machine.isEmpty)
  }

  @Test func givesUpTheConnectionThatIsIdleForLongest() {
    var machine = Machine(limit: 2)
    for name in ["a", "b"] { _ = machine.acquire(name) }
    _ = machine.release(2, reusable: true, at: now)
    _ = machine.release(1, reusable: true, at: now)
    #expect(machine.giveUpIdle() == 2)
    #expect(machine.giveUpIdle() == 1)
    #expect(machine.giveUpIdle() == nil)
  }

  @Test func aCancelledWaiterIsNeverServed() {
    var machine = Machine(limit: 1)
    for name in ["a", "b", "c"] { _ = machine.acquire(name) }
    let (first, second) = (machine.cancel("b"), machine.cancel("b"))
    #expect(first && !second)
    #expect(machine.release(1, reusable: true, at: now) == .serve("c"))
  }

  @Test func idleConnectionsExpireOldestFirst() {
    var machine = Machine(limit: 3)
    for name in ["a", "b", "c"] { _ = machine.acquire(name) }
    for (connection, instant) in [(1, 10), (2, 20), (3, 30)] as [(Int, UInt64)] {
      _ = machine.release(connection, reusable: true, at: MonotonicTime(nanoseconds: instant))
    }
    #expect(machine.expire(parkedBefore: MonotonicTime(nanoseconds: 20)) == [1, 2])
    #expect(machine.idle.map(\.connection) == [3])
  }

  @Test func aClosedIdleConnectionIsForgotten() {
    var machine = Machine(limit: 1)
    _ = machine.acquire("a")
    _ = machine.release(1, reusable: true, at: now)
    let wasIdle = machine.idleClosed(1)
    let isIdle = machine.idleClosed(1)
    #expect(wasIdle && !isIdle)
    #expect(machine.isEmpty)
    #expect(machine.acquire("b") == .connect)
  }

  /// Whatever happens in whatever order: never more connections than allowed, nobody waits while one
  /// is idle, and nobody is served twice.
  @Test(arguments: 1...20) func holdsItsInvariantsUnderRandomEvents(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let limit = Int.random(in: 1...4, using: &random)
    var machine = PoolMachine<Int, Int>(limit: limit)
    var open: [Int] = []
    var connecting = 0
    var waiting: [Int] = []
    var nextConnection = 0

    func serve(_ request: Int) {
      #expect(waiting.first == request)
      waiting.removeFirst()
    }
    func took(_ action: PoolMachine<Int, Int>.ReleaseAction, _ connection: Int?) {
      switch action {
      case .serve(let request):
        serve(request)
        if let connection { open.append(connection) }
      case .connect(let request):
        serve(request)
        connecting += 1
      case .park, .none: break
      }
    }
    for request in 0..<400 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        switch machine.acquire(request) {
        case .lease(let connection): open.append(connection)
        case .connect: connecting += 1
        case .wait: waiting.append(request)
        }
      case 2 where !open.isEmpty:
        let connection = open.remove(at: Int.random(in: 0..<open.count, using: &random))
        took(machine.release(connection, reusable: Bool.random(using: &random), at: now), connection)
      case 3 where connecting > 0:
        connecting -= 1
        if Bool.random(using: &random) {
          open.append(nextConnection)
          nextConnection += 1
        } else {
          took(machine.connectFailed(), nil)
        }
      case 4 where !waiting.isEmpty:
        let index = Int.random(in: 0..<waiting.count, using: &random)
        let wasWaiting = machine.cancel(waiting.remove(at: index))
        #expect(wasWaiting)
      default: break
      }
      #expect(machine.leased == open.count + connecting)
      #expect(machine.leased + machine.idle.count <= limit)
      #expect(machine.waitingCount == waiting.count)
      #expect(waiting.isEmpty || machine.idle.isEmpty)
    }
  }
}

extension PoolMachineTests {
  private final class Asker: Hashable {
    static func == (left: Asker, right: Asker) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// A request holds its body, and its group, which holds the machine.
  @Test func keepsNothingThatItHasServed() {
    var machine = PoolMachine<Int, Asker>(limit: 1)
    _ = machine.acquire(Asker())
    weak var served: Asker?
    let last = Asker()
    do {
      let first = Asker()
      served = first
      _ = machine.acquire(first)
      _ = machine.acquire(last)
      let action = machine.release(1, reusable: true, at: now)
      #expect(action == .serve(first))
    }
    #expect(served == nil)
    #expect(machine.waitingCount == 1)
    let wasWaiting = machine.cancel(last)
    #expect(wasWaiting)
    #expect(machine.waitingCount == 0)
    let action = machine.release(1, reusable: true, at: now)
    #expect(action == .park)
  }
}
