// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import BluebonnetFoundation

  /// The source of a publisher: the elements that a handler of a request is called with.
  struct ResponseSource<Element: Sendable>: Sendable {
    typealias Receiver = @Sendable (_ element: Element, _ isLast: Bool) -> Void

    let request: Request
    /// The queue on which elements are handed over.
    let queue: DispatchQueue
    /// Adds a handler to the request, for one subscription.
    let listen: @Sendable (@escaping Receiver) -> Void
    /// Told of each element when a subscriber has had it.
    var didConsume: @Sendable (Element) -> Void = { _ in }

    /// A single element.
    static func once(
      _ request: Request, _ queue: DispatchQueue,
      _ respond: @escaping @Sendable (@escaping @Sendable (Element) -> Void) -> Void
    ) -> Self {
      ResponseSource(request: request, queue: queue) { receive in respond { receive($0, true) } }
    }
  }
#endif
