// SPDX-License-Identifier: MIT

/// The part of a request's method that decides how its response is framed (RFC 9112 §6.3).
public enum RequestKind: Sendable, Hashable {
  /// GET, POST and every other method without a rule of its own.
  case ordinary
  /// HEAD: the response has fields as if it had a body, and none.
  case head
  /// CONNECT: after a 2xx response the connection is a tunnel.
  case connect

  /// The kind of a request with this method (case-sensitive, RFC 9110 §9.1).
  public init(method: String) {
    switch method {
    // What most requests are is found first.
    case "GET": self = .ordinary
    case "HEAD": self = .head
    case "CONNECT": self = .connect
    default: self = .ordinary
    }
  }
}
