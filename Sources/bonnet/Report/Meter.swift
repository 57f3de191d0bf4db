// SPDX-License-Identifier: MIT
import BluebonnetLibc
import Synchronization

/// Shows how far transfers have come, moved by the clock.
final class Meter: Sendable {
  private struct State {
    var facts: [Int: ProgressFacts] = [:]
    var finished = 0
    var received = 0
    var sent = 0
    var hasTitle = false
    var tick = 0
    /// The bytes transferred by each time, for the speed of the last seconds.
    var samples: [(seconds: Double, bytes: Int)] = []
    var start: ContinuousClock.Instant?
  }

  private let kind: GlobalOptions.MeterStyle
  private let isParallel: Bool
  private let isShown: Bool
  private let width: Int
  private let state = Mutex(State())

  init(_ globals: GlobalOptions, isShown: Bool) {
    kind = globals.meter
    isParallel = globals.isParallel
    self.isShown = isShown && !globals.isSilent && globals.showsMeter
    width = Terminal.width ?? 79
  }

  /// Shows progress until it is cancelled: several times a second for a bar, once for columns.
  func run() async {
    guard isShown else { return }
    let interval: Duration = kind == .bar && !isParallel ? .milliseconds(200) : .seconds(1)
    while !Task.isCancelled {
      try? await Task.sleep(for: interval)
      if !Task.isCancelled { show() }
    }
  }

  func begin(_ number: Int) {
    guard isShown else { return }
    state.withLock { state in
      state.start = state.start ?? .now
      state.facts[number] = ProgressFacts()
      if !isParallel {
        state.samples = []
        state.hasTitle = false
      }
    }
    show()
  }

  func update(_ number: Int, _ facts: ProgressFacts) {
    guard isShown else { return }
    state.withLock { $0.facts[number] = facts }
  }

  func end(_ number: Int, _ facts: ProgressFacts) {
    guard isShown else { return }
    update(number, facts)
    if !isParallel { show(isLast: true) }
    state.withLock { state in
      state.facts[number] = nil
      state.finished += 1
      state.received += facts.received
      state.sent += facts.sent
    }
  }

  /// All transfers are over.
  func finish() {
    guard isShown, isParallel, state.withLock({ $0.start != nil }) else { return }
    show(isLast: true)
  }

  private func show(isLast: Bool = false) {
    let text = state.withLock { state -> String in
      var facts = sum(state)
      guard isParallel || !state.facts.isEmpty else { return "" }
      state.tick += 1
      state.samples.append((facts.elapsed, facts.received + facts.sent))
      if state.samples.count > 6 { state.samples.removeFirst() }
      if let first = state.samples.first, facts.elapsed > first.seconds {
        facts.currentSpeed = Int(
          Double(facts.received + facts.sent - first.bytes) / (facts.elapsed - first.seconds))
      }
      let (title, line) = shown(facts, tick: state.tick)
      defer { state.hasTitle = true }
      return (state.hasTitle ? "" : title) + "\r" + line + (isLast ? "\n" : "")
    }
    Terminal.draw(text)
  }

  private func shown(_ facts: ProgressFacts, tick: Int) -> (title: String, line: String) {
    if kind == .bar, !isParallel { return ("", ProgressBar.line(facts, width: width, tick: tick)) }
    if width < ProgressColumns.width {
      return (
        ProgressColumns.narrowTitle(isParallel: isParallel),
        ProgressColumns.narrowLine(facts, isParallel: isParallel)
      )
    }
    return isParallel
      ? (ProgressColumns.parallelTitle, ProgressColumns.parallelLine(facts))
      : (ProgressColumns.title, ProgressColumns.line(facts))
  }

  private func sum(_ state: State) -> ProgressFacts {
    guard isParallel else { return state.facts.values.first ?? ProgressFacts() }
    var sum = ProgressFacts(received: state.received, sent: state.sent)
    sum.transfers = state.finished + state.facts.count
    sum.running = state.facts.count
    var total: Int? = state.received
    for facts in state.facts.values {
      sum.received += facts.received
      sum.sent += facts.sent
      total = facts.receivedTotal.flatMap { length in total.map { ProgressFacts.sum($0, length) } }
    }
    sum.receivedTotal = total
    sum.elapsed = state.start.map { (ContinuousClock.now - $0) / .seconds(1) } ?? 0
    return sum
  }
}
