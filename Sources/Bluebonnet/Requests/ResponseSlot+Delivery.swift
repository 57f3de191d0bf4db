// SPDX-License-Identifier: MIT
import BluebonnetFoundation

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
