import BluebonnetFoundation

// @unchecked: a request serves its jobs one at a time, and every change of thread between two calls goes
// through the request's lock or a queue.
/// One response handler of a request: turns what arrived into a response, and hands it out when its turn
/// has come.
@usableFromInline
class ResponseJob: UntypedSlot, @unchecked Sendable {
  /// Bodies below this size are serialized where they arrive when the serializer is the library's own:
  /// the hop to a queue and back would take longer than the work.
  static let inlineLimit = 64 * 1024

  // Exclusivity goes unchecked at run time: a job is served by one thread at a time.
  /// The input of serialization; it belongs to the response afterwards.
  @exclusivity(unchecked) final private(set) var outcome: RequestOutcome?
  /// Seconds that the serializer took.
  final var serializationDuration: TimeInterval = 0

  /// Takes the input of serialization.
  final func take(_ outcome: consuming RequestOutcome) { self.outcome = outcome }

  /// Gives the input back, before another attempt.
  final func takeOutcome() -> RequestOutcome? { outcome.take() }

  /// Whether `serialize` takes so little time, and runs no code but the library's, that it need not
  /// leave the loop.
  func isQuick(for bodyCount: Int) -> Bool { false }

  /// Makes the response. An error is one that a retrier may be asked about.
  func serialize() -> RequestOutcome.Failure? { nil }

  /// Tells the monitors about the response that `serialize` made.
  func announce(to observer: CompositeEventMonitor, of request: Request) {}

  /// Puts the retrier's error in place of the response's own.
  func replaceError(with error: AFError) {}

  /// The queue of the handler, if it runs on one.
  var queue: DispatchQueue? { nil }

  /// Hands the response to its waiter.
  ///
  /// - Parameter done: Called when the handler has returned.
  func deliver(then done: (@Sendable () -> Void)?) { done?() }
}
