// SPDX-License-Identifier: MIT

/// Why a connection carries no further request (RFC 9112 §9.3, §9.6).
public enum CloseReason: String, Sendable, Hashable, CaseIterable {
  /// The request's head said `Connection: close`.
  case askedByClient = "the request asked for it"
  /// The response's head said `Connection: close`.
  case askedByServer = "the server asked for it"
  /// The server speaks HTTP/1.0 and did not offer to keep the connection.
  case oldVersion = "HTTP/1.0 without keep-alive"
  /// The response's content has no length, and ends where the connection does.
  case endsWithConnection = "the response ends where the connection does"
  /// The response's framing was valid but contradictory or out of place: Content-Length twice, Transfer-Encoding from a
  /// server of HTTP/1.0 or with 204, an interim response that announces content.
  case doubtfulFraming = "the framing of the response is doubtful"
  /// The response broke rules that the parsing mode lets pass.
  case repaired = "the response had to be repaired"
  /// Bytes came that answer no request, behind the end of a response or before any.
  case unexpectedBytes = "the server sent unrequested bytes"
  /// The response was complete before the request was.
  case requestIncomplete = "the server answered before the request was sent whole"
  /// The server answered instead of asking for the content with 100, or refused it by an error on a connection that it
  /// closes; the content was not sent, or not all of it.
  case bodyNotWanted = "the server did not want the request's content"
  /// The connection took no more of the request.
  case sendingFailed = "the request could not be sent whole"
  /// The caller could not go on with the request's content.
  case bodyFailed = "the request's content could not be had"
  /// The peer has ended its side.
  case peerEnded = "the server closed its side"
  /// The connection speaks another protocol now, or the server says so without having been asked.
  case upgraded = "the connection changed its protocol"
  /// The response was malformed or cut off.
  case failed = "the response was no valid one"
  /// The caller gave the exchange up.
  case cancelled = "the exchange was cancelled"
}

extension CloseReason: CustomStringConvertible {
  /// The reason as a clause, for logs and people: why the connection was closed.
  public var description: String { rawValue }
}
