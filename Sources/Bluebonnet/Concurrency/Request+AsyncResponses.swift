// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// Holds each response's body back until `handler` has decided. A later handler of any form replaces it.
  fileprivate func decideOnResponses(
    priority: TaskPriority? = nil,
    by handler: @escaping @Sendable (HTTPURLResponse) async -> ResponseDisposition
  ) -> Self {
    responseHook = (
      underlyingQueue, { response, answer in Task(priority: priority) { answer(await handler(response)) } }
    )
    return self
  }

  /// Holds each response's body back until `handler` has returned.
  fileprivate func awaitOnResponses(_ handler: @escaping @Sendable (HTTPURLResponse) async -> Void) -> Self {
    decideOnResponses { response in
      await handler(response)
      return .allow
    }
  }
}

// A closure of several statements fits both forms until its end is looked at. The parameter with a default makes
// the compiler prefer the other form there, and only there: a verdict is never taken for a mere last statement.
extension DataRequest {
  /// Shows the head of each response and holds its body back until `handler` returns whether to go on.
  ///
  /// - Parameters:
  ///   - priority: Of the task that runs `handler`.
  ///   - handler:  Called with each head; returns whether the body is read.
  /// - Returns: The request.
  @discardableResult
  public func onHTTPResponse(
    priority: TaskPriority? = nil,
    perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> ResponseDisposition
  ) -> Self {
    decideOnResponses(priority: priority, by: handler)
  }

  /// Shows the head of each response and holds its body back until `handler` returns.
  ///
  /// - Parameter handler: Called with each head.
  /// - Returns: The request.
  @discardableResult
  public func onHTTPResponse(
    perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> Void
  ) -> Self {
    awaitOnResponses(handler)
  }
}

extension DataStreamRequest {
  /// Shows the head of each response and holds its body back until `handler` returns whether to go on.
  ///
  /// - Parameters:
  ///   - priority: Of the task that runs `handler`.
  ///   - handler:  Called with each head; returns whether the body is read.
  /// - Returns: The request.
  @discardableResult
  public func onHTTPResponse(
    priority: TaskPriority? = nil,
    perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> ResponseDisposition
  ) -> Self {
    decideOnResponses(priority: priority, by: handler)
  }

  /// Shows the head of each response and holds its body back until `handler` returns.
  ///
  /// - Parameter handler: Called with each head.
  /// - Returns: The request.
  @discardableResult
  public func onHTTPResponse(
    perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> Void
  ) -> Self {
    awaitOnResponses(handler)
  }
}
