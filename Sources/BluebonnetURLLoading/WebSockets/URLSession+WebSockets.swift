// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSession {
  /// Makes a task that opens a WebSocket; call `resume()` to begin.
  ///
  /// - Parameter url: Its scheme is `ws` or `wss`; `http` and `https` mean the same.
  public func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
    webSocketTask(with: URLRequest(url: url))
  }

  /// Makes a task that opens a WebSocket and offers subprotocols (RFC 6455 §1.9); call `resume()` to begin.
  ///
  /// - Parameters:
  ///   - url: Its scheme is `ws` or `wss`; `http` and `https` mean the same.
  ///   - protocols: What the server may choose one of, the preferred one first.
  public func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
    register(for: nil) { URLSessionWebSocketTask($0, request: URLRequest(url: url), protocols: protocols) }
  }

  /// Makes a task that opens a WebSocket with the request's fields; call `resume()` to begin.
  ///
  /// Subprotocols stand in its `Sec-WebSocket-Protocol` field. Fields of the handshake itself, another method than GET and a
  /// body are refused: the task fails, with a ``RefusedSetting``.
  public func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
    register(for: nil) { URLSessionWebSocketTask($0, request: request) }
  }

  /// Makes a task with another listener than the session's delegate.
  package func webSocketTask(
    with request: URLRequest, for listener: any TaskListener
  ) -> URLSessionWebSocketTask {
    register(for: listener) { URLSessionWebSocketTask($0, request: request) }
  }
}
