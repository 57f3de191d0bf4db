// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport

/// A request's failure: its kind, the party at fault, and the phase it had reached.
public struct HTTPClientError: Error, Sendable {
  /// The kind of failure; decide by this.
  public let code: Code
  /// The party that could mend it: `.caller`, `.server`, `.network` or `.local`.
  public let fault: LoadingFault
  /// The phase that the request had reached.
  public let phase: LoadingPhase
  /// The reason, in words for people and logs. No secret of the request is in it.
  public let reason: String
  /// The error that the pieces of a request's body have thrown; nil for other failures.
  public let cause: (any Error)?

  init(
    _ code: Code, _ reason: String, fault: LoadingFault = .caller, during phase: LoadingPhase = .preparing,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.fault = fault
    self.phase = phase
    self.reason = reason
    self.cause = cause
  }

  static func invalidConfiguration(_ member: String, _ reason: String) -> HTTPClientError {
    HTTPClientError(.invalidConfiguration, "HTTPClient.Configuration.\(member): \(reason)")
  }
}

extension HTTPClientError: CustomStringConvertible {
  /// One line: the code, the reason, the phase, and the party at fault.
  public var description: String {
    "\(code): \(reason) (while \(phase.rawValue); fault: \(fault.rawValue))"
  }
}

extension HTTPClientError {
  init(_ error: TransportError) {
    var cause: (any Error)?
    if case .bodySource(_, let thrown) = error.cause { cause = thrown }
    let limit = error.seconds.map { ", the limit is \($0) s" } ?? ""
    self.init(
      Code(error), error.description + limit, fault: error.fault, during: error.phase, cause: cause)
  }
}

extension HTTPClientError.Code {
  fileprivate init(_ error: TransportError) {
    switch error.cause {
    case .invalidHost: self = .invalidURL
    case .unresolvedHost: self = .hostNotFound
    case .unconnected: self = .notConnected
    case .tls(let error):
      if case .certificateRejected = error.code { self = .untrustedServer } else { self = .tlsFailed }
    case .untrusted: self = .untrustedServer
    case .noResponse, .truncated, .network: self = .connectionLost
    case .malformed, .securePort: self = .invalidResponse
    case .coding: self = .invalidContent
    case .timedOut: self = .timedOut
    case .cancelled: self = .cancelled
    case .bodySource: self = .requestBodyFailed
    // Everything that could be wrong was looked at before, and there are neither WebSockets nor proxies.
    case .invalidRequest, .webSocket, .proxyRefused, .socks, .authentication: self = .internalFailure
    }
  }
}
