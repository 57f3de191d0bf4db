import BluebonnetFoundation

/// Where a response goes. Nothing in here depends on its type: letting go of it makes no metadata at run time.
enum DeliveryRoute: Sendable {
  /// To a handler, on a queue.
  case queue(DispatchQueue, @Sendable (ResponseJob) -> Void)
  /// To whoever awaits it.
  case slot
}

/// Where a response of one type goes.
struct Delivery<Response: Sendable>: Sendable {
  let route: DeliveryRoute

  /// To whoever awaits it.
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
      route: .queue(queue) { handler(unsafeDowncast($0, to: ResponseSlot<Response?>.self).response()) })
  }
}
