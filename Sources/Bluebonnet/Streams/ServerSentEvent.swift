// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// An event of an event stream (`text/event-stream`, WHATWG HTML §9.2).
public struct ServerSentEvent: Sendable, Hashable {
  /// The last id that the stream has set, with this event or before it; empty if it has set none.
  public let id: String
  /// The kind of event: `message` where it says nothing.
  public let type: String
  /// Its lines of data, with LF between them.
  public let data: String
  /// Milliseconds that the server wants to pass before a reconnection, as far as it has said by now.
  public let retry: Int?

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - id: The last id; empty by default.
  ///   - type: What kind of event it is; `message` by default.
  ///   - data: Its lines, with LF between them.
  ///   - retry: Milliseconds before a reconnection; `nil` by default.
  public init(id: String = "", type: String = "message", data: String, retry: Int? = nil) {
    (self.id, self.type, self.data, self.retry) = (id, type, data, retry)
  }
}

/// Reads event streams by WHATWG's algorithm (HTML §9.2.6). An event without its empty line is dropped.
public struct ServerSentEventFraming: DataStreamFraming {
  private var parser: EventStreamParser

  /// Makes a framing.
  ///
  /// - Parameters:
  ///   - lineLimit: Bytes that a line may have; 1 MiB by default.
  ///   - eventLimit: Bytes that an event may have; 4 MiB by default.
  ///   - lastEventID: What the stream before this one ended with; empty by default. Sending it as `Last-Event-ID` is the
  ///     request's.
  public init(lineLimit: Int = 1024 * 1024, eventLimit: Int = 4 * 1024 * 1024, lastEventID: String = "") {
    var limits = EventStreamParser.Limits()
    (limits.lineBytes, limits.eventBytes) = (lineLimit, eventLimit)
    parser = EventStreamParser(limits: limits, lastEventID: lastEventID)
  }

  /// The id of the last event, which a request that goes on with the stream sends as `Last-Event-ID`; empty if there is none.
  public var lastEventID: String { parser.lastEventID }

  /// Milliseconds that the server wants to pass before a reconnection; `nil` while it has not said.
  public var reconnectionTime: Int? { parser.reconnectionTime }

  /// Reads a piece of the stream. Throws for a line or an event beyond its limit.
  public mutating func append(
    _ data: Data, _ take: (Result<ServerSentEvent, AFError>) -> Void
  ) throws(AFError) {
    do throws(FramingError) {
      try parser.append(data) { event in
        take(
          .success(
            ServerSentEvent(
              id: event.id, type: event.type, data: event.data, retry: event.reconnectionTime)))
      }
    } catch {
      throw AFError(error)
    }
  }
}

extension DataStreamFraming where Self == ServerSentEventFraming {
  /// Server-sent events, with lines of 1 MiB and events of 4 MiB at most.
  public static var serverSentEvents: ServerSentEventFraming { ServerSentEventFraming() }
}

extension AFError {
  init(_ error: FramingError) {
    let reason: StreamFramingError =
      switch error {
      case .lineTooLong(let limit): .lineTooLong(limit: limit)
      case .frameTooLong(let limit): .eventTooLong(limit: limit)
      }
    self = .responseSerializationFailed(reason: .customSerializationFailed(error: reason))
  }
}
