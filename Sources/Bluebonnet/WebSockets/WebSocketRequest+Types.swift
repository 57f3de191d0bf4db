// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension WebSocketRequest {
  /// An event, before a serializer has seen it.
  enum IncomingEvent: Sendable {
    case connected(protocol: String?)
    case receivedMessage(URLSessionWebSocketTask.Message)
    case disconnected(closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
  }

  /// Something that has happened to a WebSocket, and the means to act on it.
  public struct Event<Success: Sendable, Failure: Error>: Sendable {
    /// The kind of an event.
    public enum Kind: Sendable {
      /// The WebSocket is open, with the subprotocol that the server has chosen, if any. The first event; told again if a
      /// retrier has had it opened anew.
      case connected(protocol: String?)
      /// A message, or the value made of it.
      case receivedMessage(Success)
      /// Nothing could be made of a message. The WebSocket goes on, unless its configuration says otherwise.
      case serializerFailed(Failure)
      /// The server has closed, or has answered a Close of ours. Not told where the connection broke.
      case disconnected(closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
      /// It is over: the last event.
      case completed(Completion)
    }

    weak let socket: WebSocketRequest?
    /// The kind of the event.
    public let kind: Kind
    /// Of a message.
    let receipt: ConsumptionToken?

    init(socket: WebSocketRequest, kind: Kind, receipt: ConsumptionToken? = nil) {
      self.socket = socket
      self.kind = kind
      self.receipt = receipt
    }

    /// The message, if it is one.
    public var message: Success? {
      if case .receivedMessage(let message) = kind { message } else { nil }
    }

    /// Closes the WebSocket, if it still exists: see ``WebSocketRequest/close(sending:reason:)``.
    public func close(sending closeCode: URLSessionWebSocketTask.CloseCode, reason: Data? = nil) {
      socket?.close(sending: closeCode, reason: reason)
    }

    /// Cancels the request, if it still exists.
    public func cancel() { socket?.cancel() }

    /// Sends a ping, if the WebSocket still exists: see ``WebSocketRequest/sendPing(respondingOn:onResponse:)``.
    @preconcurrency
    public func sendPing(
      respondingOn queue: DispatchQueue = .main, onResponse: @escaping @Sendable (PingResponse) -> Void
    ) {
      guard let socket else { return queue.async { onResponse(.unsent) } }
      socket.sendPing(respondingOn: queue, onResponse: onResponse)
    }
  }

  /// The end of a WebSocket.
  public struct Completion: Sendable {
    /// The `URLRequest` of the last attempt; `nil` if none was made.
    public let request: URLRequest?
    /// The response that opened it, or refused to; `nil` if its head did not arrive.
    public let response: HTTPURLResponse?
    /// The measurements of the last attempt's opening; `nil` if none was made.
    public let metrics: URLSessionTaskMetrics?
    /// Why it failed; `nil` if it was closed.
    public let error: AFError?
  }

  /// The settings of a WebSocket.
  public struct Configuration: Sendable {
    /// No subprotocol, messages of a megabyte at most, no pings.
    public static var `default`: Self { Self() }

    /// The default, with a subprotocol.
    public static func `protocol`(_ protocol: String) -> Self { Self(protocol: `protocol`) }

    /// The default, with another limit of messages.
    public static func maximumMessageSize(_ maximumMessageSize: Int) -> Self {
      Self(maximumMessageSize: maximumMessageSize)
    }

    /// The default, with pings.
    public static func pingInterval(_ pingInterval: TimeInterval) -> Self { Self(pingInterval: pingInterval) }

    /// The subprotocol that is asked for, or several with commas between them; `nil`, the default, for none.
    public let `protocol`: String?
    /// The largest message that is taken, in bytes; 1,048,576 by default. A larger one ends the WebSocket.
    public let maximumMessageSize: Int
    /// Seconds between a pong, or the opening, and the next ping; `nil`, the default, for no pings. A ping without an answer
    /// ends the WebSocket after the request's time-out.
    public let pingInterval: TimeInterval?
    /// Whether a serializer's error cancels the request; false by default. An addition of this package.
    public let automaticallyCancelOnStreamError: Bool

    /// Makes a configuration; settings not named keep their defaults.
    public init(
      protocol: String? = nil, maximumMessageSize: Int = 1_048_576, pingInterval: TimeInterval? = nil,
      automaticallyCancelOnStreamError: Bool = false
    ) {
      self.protocol = `protocol`
      self.maximumMessageSize = maximumMessageSize
      self.pingInterval = pingInterval
      self.automaticallyCancelOnStreamError = automaticallyCancelOnStreamError
    }
  }

  /// The result of a ping.
  public enum PingResponse: Sendable {
    /// An answer, and how long it took.
    public struct Pong: Sendable {
      /// The time when the ping was sent.
      public let start: Date
      /// The time when the pong came.
      public let end: Date
      /// Seconds in between.
      public let latency: TimeInterval
    }

    /// The pong came.
    case pong(Pong)
    /// The pong did not come, for this reason.
    case error(any Error)
    /// No ping was sent: the request has not begun, or is suspended, cancelled or over.
    case unsent
  }
}
