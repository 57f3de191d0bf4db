// SPDX-License-Identifier: MIT
#if OpenCombine
  import BluebonnetLocks
  import BluebonnetTestSupport
  import OpenCombine
  import Testing

  /// A subscriber that notes what it is told and asks for no more than it is made to.
  final class Probe<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    // @unchecked: any thread may use a subscription, although its type does not say so.
    private struct Held: @unchecked Sendable {
      let subscription: any Subscription
    }

    private struct Log: Sendable {
      var held: Held?
      var values: [Input] = []
      var ends: [Failure?] = []
      var isReceiving = false
      var overlaps = 0
    }

    private let log = Locked(Log())
    private let initial: Int?
    private let answer: @Sendable (Probe, Input) -> Int?

    /// - Parameters:
    ///   - initial: How much to ask for at once; nil for all.
    ///   - answer:  Called with each value; says how many more to ask for.
    init(asking initial: Int? = 0, then answer: @escaping @Sendable (Probe, Input) -> Int? = { _, _ in 0 }) {
      self.initial = initial
      self.answer = answer
    }

    private static func demand(_ count: Int?) -> Subscribers.Demand { count.map { .max($0) } ?? .unlimited }

    func receive(subscription: any Subscription) {
      let held = Held(subscription: subscription)
      log.withLock { $0.held = held }
      if initial != 0 { subscription.request(Self.demand(initial)) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      log.withLock {
        if $0.isReceiving { $0.overlaps += 1 }
        $0.isReceiving = true
        $0.values.append(input)
      }
      defer { log.withLock { $0.isReceiving = false } }
      return Self.demand(answer(self, input))
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let error: Failure? = if case .failure(let error) = completion { error } else { nil }
      log.withLock {
        if $0.isReceiving { $0.overlaps += 1 }
        $0.ends.append(error)
      }
    }

    // MARK: What the test does

    func request(_ count: Int?) {
      log.withLock { $0.held }?.subscription.request(Self.demand(count))
    }

    func cancel() {
      log.withLock { $0.held }?.subscription.cancel()
    }

    /// What has come.
    var values: [Input] { log.withLock { $0.values } }
    /// How it ended, nil for well.
    var ends: [Failure?] { log.withLock { $0.ends } }
    /// Whether it was told once that all is well.
    var isFinished: Bool { ends.count == 1 && ends[0] == nil }
    /// What it failed with.
    var error: Failure? { ends.first ?? nil }
    /// How often it was told something while it was still busy with what it had been told before.
    var overlaps: Int { log.withLock { $0.overlaps } }

    /// Waits for its completion.
    func end() async {
      await Eventually.expect("it ends") { !self.ends.isEmpty }
    }
  }

  extension Result {
    var made: Success? { try? get() }
    var refusal: Failure? { if case .failure(let error) = self { error } else { nil } }
  }
#endif
