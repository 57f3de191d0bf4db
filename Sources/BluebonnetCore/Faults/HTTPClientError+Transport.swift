// SPDX-License-Identifier: MIT
import BluebonnetTLS
import BluebonnetTransport

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
