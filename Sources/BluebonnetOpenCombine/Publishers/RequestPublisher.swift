// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import OpenCombine

  /// A publisher of what a request's handlers are called with.
  protocol RequestPublisher: Publisher, Sendable where Output: Sendable, Failure == Never {
    var source: ResponseSource<Output> { get }
  }

  extension RequestPublisher {
    /// Attaches a subscriber.
    ///
    /// - Parameter subscriber: Is given a subscription at once, and no more elements than it asks for.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      subscriber.receive(subscription: ResponseSubscription(source, for: subscriber))
    }
  }

  extension Error {
    /// The error of a response, behind operators that know of no type.
    var asPublished: AFError { asAFError(orFailWith: "A response has no other error: \(self)") }
  }
#endif
