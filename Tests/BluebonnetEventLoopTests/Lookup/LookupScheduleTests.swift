// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

@Suite struct LookupScheduleTests {
  final class Waiter {}
  typealias Schedule = LookupSchedule<Waiter>

  /// Takes a name as far as the resolver.
  private func ask(_ host: String, in schedule: inout Schedule) -> Waiter {
    let waiter = Waiter()
    #expect(schedule.add(waiter, for: host) == .local)
    #expect(schedule.nextLocal() == host)
    #expect(schedule.notFound(host)?.next == .ask(host))
    return waiter
  }

  @Test func namesAreJoinedInEveryStage() {
    var schedule = Schedule(limit: 1)
    let waiters = (0..<4).map { _ in Waiter() }
    #expect(schedule.add(waiters[0], for: "a") == .local)
    #expect(schedule.add(waiters[1], for: "a") == nil)
    #expect(schedule.nextLocal() == "a")
    #expect(schedule.add(waiters[2], for: "a") == nil)
    #expect(schedule.notFound("a")?.next == .ask("a"))
    #expect(schedule.add(waiters[3], for: "a") == nil)
    let (answered, next) = schedule.answered("a")
    #expect(answered.elementsEqual(waiters) { $0 === $1 })
    #expect(next == nil)
    #expect(schedule.isEmpty)
  }

  @Test func oneThreadLooksIntoTheHostsFileWhileOthersAsk() {
    var schedule = Schedule(limit: 2)
    #expect(schedule.add(Waiter(), for: "a") == .local)
    #expect(schedule.add(Waiter(), for: "b") == nil)
    #expect(schedule.nextLocal() == "a")
    let step = schedule.notFound("a")
    #expect(step?.next == .ask("a"))
    #expect(step?.needsSuccessor == true, "b has to be looked for")
    #expect(schedule.nextLocal() == "b")
    #expect(schedule.found("b").count == 1)
    #expect(schedule.nextLocal() == nil)
    #expect(!schedule.isLooking)
  }

  @Test func beyondTheLimitNamesWaitForAnAnswer() {
    var schedule = Schedule(limit: 1)
    _ = ask("a", in: &schedule)
    #expect(schedule.add(Waiter(), for: "b") == .local)
    #expect(schedule.nextLocal() == "b")
    #expect(schedule.notFound("b") == nil)
    #expect(schedule.nextLocal() == nil)
    #expect(schedule.answered("a").next == .ask("b"))
    #expect(schedule.answered("b").next == nil)
    #expect(schedule.isEmpty)
  }

  @Test func aNameThatIsCancelledAndAskedForAgainIsAskedOnce() {
    var schedule = Schedule(limit: 1)
    let first = Waiter()
    #expect(schedule.add(first, for: "a") == .local)
    #expect(schedule.nextLocal() == "a")
    // While the hosts file is read.
    #expect(schedule.cancel(first, for: "a") == nil)
    #expect(schedule.add(Waiter(), for: "a") == nil)
    #expect(schedule.notFound("a")?.next == .ask("a"))
    #expect(schedule.nextLocal() == "a")
    #expect(schedule.notFound("a") == nil)
    #expect(schedule.nextLocal() == nil)
    let (waiters, next) = schedule.answered("a")
    #expect(waiters.count == 1 && next == nil)
    #expect(schedule.abandoned == 0)
    #expect(schedule.isEmpty)
    _ = ask("b", in: &schedule)
  }

  @Test func anAbandonedNameFreesItsPlaceOnce() {
    var schedule = Schedule(limit: 1)
    let first = ask("a", in: &schedule)
    #expect(schedule.add(Waiter(), for: "b") == .local)
    #expect(schedule.nextLocal() == "b")
    #expect(schedule.notFound("b") == nil)
    #expect(schedule.cancel(first, for: "a") == .ask("b"))
    #expect(schedule.cancel(first, for: "a") == nil)
    #expect(schedule.asked == 2 && schedule.abandoned == 1)
    // Somebody else wants to know after all.
    let second = Waiter()
    #expect(schedule.add(second, for: "a") == nil)
    #expect(schedule.abandoned == 0)
    let answered = schedule.answered("a").waiters
    #expect(answered.count == 1 && answered.first === second)
    #expect(schedule.asked == 1)
  }

  @Test func abandonedNamesHaveALimit() {
    var schedule = Schedule(limit: 1)
    for number in 0..<schedule.threadLimit {
      let waiter = ask("\(number)", in: &schedule)
      #expect(schedule.cancel(waiter, for: "\(number)") == nil)
      _ = schedule.nextLocal()
    }
    #expect(schedule.add(Waiter(), for: "last") == .local)
    #expect(schedule.nextLocal() == "last")
    #expect(schedule.notFound("last") == nil)
    #expect(schedule.answered("0").next == .ask("last"))
  }

  @Test func whatNobodyWaitsForIsNotLookedUp() {
    var schedule = Schedule(limit: 1)
    let waiter = Waiter()
    _ = schedule.add(waiter, for: "a")
    #expect(schedule.cancel(waiter, for: "a") == nil)
    #expect(schedule.nextLocal() == nil)
    #expect(schedule.isEmpty)
    // In the middle of the look into the hosts file.
    _ = schedule.add(waiter, for: "a")
    #expect(schedule.nextLocal() == "a")
    #expect(schedule.cancel(waiter, for: "a") == nil)
    #expect(schedule.notFound("a") == nil)
    #expect(schedule.nextLocal() == nil)
    #expect(schedule.isEmpty)
  }

  @Test func withoutThreadsEverybodyIsGivenBack() {
    var schedule = Schedule(limit: 1)
    _ = schedule.add(Waiter(), for: "a")
    _ = schedule.add(Waiter(), for: "b")
    #expect(schedule.threadFailed(for: .local).count == 2)
    #expect(schedule.isEmpty)
    let first = ask("a", in: &schedule)
    _ = schedule.add(Waiter(), for: "b")
    _ = schedule.nextLocal()
    _ = schedule.notFound("b")
    _ = schedule.nextLocal()
    #expect(schedule.cancel(first, for: "a") == .ask("b"))
    #expect(schedule.threadFailed(for: .ask("b")).count == 1)
    #expect(schedule.answered("a").next == nil)
    #expect(schedule.isEmpty)
  }
}
