import BluebonnetFoundation

// @unchecked: a request serves its jobs one at a time, and every change of thread between two calls goes
// through the request's lock or a queue.
/// One response handler of a request: turns what arrived into a response, and hands it out when its turn
/// has come.
class ResponseJob: UntypedSlot, @unchecked Sendable {
  /// Bodies below this size are serialized where they arrive when the serializer is the library's own:
  /// the hop to a queue and back would take longer than the work.
  static let inlineLimit = 64 * 1024

  // Exclusivity goes unchecked at run time: a job is served by one thread at a time.
  @exclusivity(unchecked) private var outcome: RequestOutcome?

  /// Takes what is to be serialized.
  final func take(_ outcome: consuming RequestOutcome) { self.outcome = outcome }

  /// Hands over what is to be serialized, once.
  final func takenOutcome() -> RequestOutcome {
    outcome.take() ?? RequestOutcome(request: nil, response: nil, data: nil, metrics: nil, failure: nil)
  }

  /// Whether `serialize` takes so little time, and runs no code but the library's, that it need not
  /// leave the loop.
  func isQuick(for bodyCount: Int) -> Bool { false }

  /// Makes the response. An error is one that a retrier may be asked about.
  func serialize() -> RequestOutcome.Failure? { nil }

  /// Tells the monitors about the response that `serialize` made.
  func announce() {}

  /// Puts the retrier's error in place of the response's own.
  func replaceError(with error: AFError) {}

  /// Where the handler runs, if it runs on a queue.
  var queue: DispatchQueue? { nil }

  /// Hands the response to whoever waits for it.
  ///
  /// - Parameter done: Called when the handler has returned.
  func deliver(then done: (@Sendable () -> Void)?) { done?() }
}

/// Where a response goes.
struct Delivery<Response: Sendable>: Sendable {
  // Nothing in here depends on the response's type: letting go of it makes no metadata at run time.
  private enum Route: Sendable {
    case queue(DispatchQueue, @Sendable (UntypedSlot.Box) -> Void)
    case slot
  }

  private let route: Route

  /// To a handler, on a queue.
  static func queue(_ queue: DispatchQueue, _ handler: @escaping @Sendable (Response) -> Void) -> Self {
    // `send` passes nothing but such a box.
    Delivery(route: .queue(queue) { handler(unsafeDowncast($0, to: ResponseBox<Response>.self).response) })
  }

  /// To whoever awaits it.
  static var slot: Self { Delivery(route: .slot) }

  /// Where the handler runs, if it runs on a queue.
  var queue: DispatchQueue? {
    if case .queue(let queue, _) = route { queue } else { nil }
  }

  /// - Parameter done: Called when the handler has returned. On its queue and behind it, because nothing that is put there
  ///   later is sure to run later, or at all before other handlers have ended: the queue is the caller's.
  func send(_ box: ResponseBox<Response>?, of job: ResponseJob, then done: (@Sendable () -> Void)?) {
    guard let box else {
      done?()
      return
    }
    switch route {
    case .queue(let queue, let handler):
      queue.async {
        handler(box)
        done?()
      }
    case .slot:
      job.fill(with: box)
      done?()
    }
  }
}
