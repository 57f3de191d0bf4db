// SPDX-License-Identifier: MIT
#if OpenCombine
  import BluebonnetLocks
  import OpenCombine

  /// One subscriber's subscription to what a request receives. Its rules are ``DemandBuffer``'s.
  ///
  /// The handler that is added with the first demand keeps the subscription until it has been called for the last time.
  final class ResponseSubscription<Element: Sendable>: Subscription, Sendable {
    // @unchecked: a subscriber is made to be called by any thread, one call after the other, although its type does not say
    // so. Only the one thread that the buffer lets hand over calls it; that calls follow each other is by `state`'s lock.
    /// A subscriber on its way between threads.
    private struct Recipient: @unchecked Sendable {
      // Erased, because a call from another thread must not need the subscriber's own type there.
      let subscriber: AnySubscriber<Element, Never>
    }

    private struct State: Sendable {
      var buffer = DemandBuffer<Element>()
      /// Nil after the end and after cancellation: a subscriber may keep its subscription.
      var recipient: Recipient?
    }

    private struct Delivery: Sendable {
      let recipient: Recipient
      let element: Element
      let isLast: Bool
    }

    private let source: ResponseSource<Element>
    private let state: Locked<State>

    init(_ source: ResponseSource<Element>, for subscriber: some Subscriber<Element, Never>) {
      self.source = source
      state = Locked(State(recipient: Recipient(subscriber: AnySubscriber(subscriber))))
    }

    func request(_ demand: Subscribers.Demand) {
      switch state.withLock({ $0.buffer.request(demand.max) }) {
      case .none:
        break
      case .start:
        source.listen { element, isLast in
          if self.state.withLock({ $0.buffer.receive(element, isLast: isLast) }) { self.handOver() }
        }
        // A handler starts the request only if its session is told to start requests.
        source.request.resume()
      case .handOver:
        source.queue.async { self.handOver() }
      }
    }

    func cancel() {
      // Released without the lock: it may be the subscriber's, and call back.
      let dropped = state.withLock { ($0.buffer.cancel(), $0.recipient.take()) }
      if dropped.0 != nil { source.request.cancel() }
    }

    private func handOver() {
      var more: Int? = 0
      while let delivery = next(adding: more) {
        more = delivery.recipient.subscriber.receive(delivery.element).max
        source.didConsume(delivery.element)
        guard delivery.isLast else { continue }
        // Nothing, if the subscriber has cancelled on receiving it.
        state.withLock { $0.recipient.take() }?.subscriber.receive(completion: .finished)
      }
    }

    private func next(adding more: Int?) -> Delivery? {
      state.withLock {
        guard let next = $0.buffer.next(adding: more), let recipient = $0.recipient else { return nil }
        return Delivery(recipient: recipient, element: next.element, isLast: next.isLast)
      }
    }
  }
#endif
