// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetSemantics

/// The reason why a response ended badly, as its connection has seen it.
enum PeerFailure {
  /// - Parameter isAlert: The peer's bytes begin as an alert of TLS does.
  case malformed(HTTP1Error, isAlert: Bool)
  /// The peer's end came inside a response, or instead of one.
  case closed(HTTP1Error)
  case channel(ChannelFault)

  /// What came cannot be meant for the request, of which nothing had been sent.
  var isUnsolicited: Bool {
    if case .malformed(let error, _) = self { error.rule == .unsolicitedResponse } else { false }
  }

  /// Whether it may be that of a connection that was unused for too long. A server's message before it closes one, such as a
  /// 408 (RFC 9110 §15.5.9), makes it a stale one like any other.
  ///
  /// - Parameter hasBegun: Something of the response has come.
  func mayBeStaleness(hasBegun: Bool) -> Bool {
    switch self {
    case .malformed: isUnsolicited
    case .closed: !hasBegun
    case .channel: true
    }
  }

  /// - Parameters:
  ///   - hasBegun: Something of the response has come.
  ///   - sendError: Why no more of the request could be sent before.
  func cause(hasBegun: Bool, sendError: SystemError?) -> TransportError.Cause {
    switch self {
    case .malformed(let error, let isAlert): isAlert ? .securePort(error) : .malformed(error)
    case .closed(let error) where hasBegun: .truncated(error)
    case .closed: sendError.map { .network($0) } ?? .noResponse
    case .channel(.network(let error)): .network(sendError ?? error)
    case .channel(.tls(let error)) where error.isTruncation: hasBegun ? .truncated(nil) : .noResponse
    case .channel(.tls(let error)): .tls(error)
    }
  }

  /// - Parameter current: The exchange's.
  func phase(in current: LoadingPhase) -> LoadingPhase {
    // Directly behind an interim response, the final one has begun.
    if case .malformed = self, !current.isReceiving { .receivingHead } else { current }
  }
}

extension HTTP1Error {
  /// Whether the bytes that broke a rule begin as an alert of TLS does, with which a server for https answers clients without TLS: by
  /// the type of the record and the major version of every TLS (RFC 8446 §5.1).
  func isOfTLSAlert(in bytes: some Collection<UInt8>) -> Bool {
    offset < 2 && bytes.first == 0x15 && (bytes.dropFirst().first ?? 0x03) == 0x03
  }
}
