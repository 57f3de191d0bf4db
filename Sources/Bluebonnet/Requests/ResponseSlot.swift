// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// @unchecked: see ResponseJob.
/// A job with its result: a waiter, or a handler, holds the job itself, which spares an object on the way.
///
/// - Parameter Made: An optional. As a parameter it is at hand where the job is released; a type that a class has to put together
///   of its parameters there is looked up at run time.
@usableFromInline
class ResponseSlot<Made: Sendable>: ResponseJob, @unchecked Sendable {
  private let route: DeliveryRoute

  // Exclusivity goes unchecked at run time: it is written by the one thread that serves the job, before the job is full
  // or on its way to a queue, and only read from then on.
  @usableFromInline @exclusivity(unchecked) final var made: Made

  init(empty: consuming Made, _ route: DeliveryRoute) {
    made = empty
    self.route = route
    super.init(runsHandler: route.isHandler)
  }

  final override var queue: DispatchQueue? {
    if case .queue(let queue, _) = route { queue } else { nil }
  }

  // `done` follows the handler on its queue, because nothing that is put there later is sure to run later, or at all
  // before other handlers have ended: the queue is the caller's.
  final override func deliver(in context: SessionContext, then done: (@Sendable () -> Void)?) {
    switch route {
    case .queue(let queue, let handler):
      queue.async {
        handler(self)
        done?()
        context.handlerReturned()
      }
    case .slot:
      fill()
      done?()
    }
  }
}

/// The destination of a response. Nothing in here depends on its type: releasing it makes no metadata at run time.
enum DeliveryRoute: Sendable {
  /// To a handler, on a queue.
  case queue(DispatchQueue, @Sendable (ResponseJob) -> Void)
  /// To a waiting task.
  case slot

  var isHandler: Bool {
    switch self {
    case .queue: true
    case .slot: false
    }
  }
}

/// The destination of a response of one type.
struct Delivery<Response: Sendable>: Sendable {
  let route: DeliveryRoute

  /// To a waiting task.
  static var slot: Self { Delivery(route: .slot) }

  /// To a handler, on a queue.
  static func queue<Value>(_ queue: DispatchQueue, _ handler: @escaping @Sendable (Response) -> Void) -> Self
  where Response == AFDataResponse<Value> {
    // The jobs that make such a response pass nothing but themselves.
    Delivery(
      route: .queue(queue) { handler(unsafeDowncast($0, to: ResponseSlot<AFResult<Value>?>.self).response()) }
    )
  }

  /// To a handler, on a queue.
  static func queue<Value>(_ queue: DispatchQueue, _ handler: @escaping @Sendable (Response) -> Void) -> Self
  where Response == AFDownloadResponse<Value> {
    // The jobs that make such a response pass nothing but themselves.
    Delivery(
      route: .queue(queue) { handler(unsafeDowncast($0, to: DownloadJob<Value>.self).downloadResponse) })
  }
}
