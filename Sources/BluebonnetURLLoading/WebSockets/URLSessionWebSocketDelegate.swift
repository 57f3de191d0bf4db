// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Hears what concerns WebSocket tasks, on the session's `delegateQueue`. All methods are optional.
public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
  /// The connection is open.
  ///
  /// - Parameters:
  ///   - session:       The task's session.
  ///   - webSocketTask: The task that is open.
  ///   - protocol:      The subprotocol that the server has chosen (RFC 6455 §1.9); `nil` if it has none.
  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?)

  /// The server has closed the connection, or answered that it is closed; the end of the task follows.
  ///
  /// - Parameters:
  ///   - session:       The task's session.
  ///   - webSocketTask: The task that is closed.
  ///   - closeCode:     What the server has said; `.noStatusReceived` if it has said nothing.
  ///   - reason:        In the server's words, UTF-8; `nil` if it has none.
  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
}

extension URLSessionWebSocketDelegate {
  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
  ) {
    session.webSocketDelegate(after: self)?.urlSession(
      session, webSocketTask: webSocketTask, didOpenWithProtocol: `protocol`)
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {
    session.webSocketDelegate(after: self)?.urlSession(
      session, webSocketTask: webSocketTask, didCloseWith: closeCode, reason: reason)
  }
}
