// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLibc
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport
import BluebonnetWebSocket

/// The reason for a load's failure, in more detail than a `URLError` code: the phase, the cause and the party at fault.
///
/// Found in a `URLError`'s `userInfo` under `NSUnderlyingErrorKey`.
public struct TransportFailure: Error, Sendable, CustomStringConvertible {
  /// The kind of failure that ended a load.
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    /// The host's name leads to no address.
    case unresolvedHost
    /// The host was reached, and nothing listens there.
    case connectionRefused
    /// The network failed, while connecting or later.
    case network
    /// The URL's host cannot be one.
    case invalidHost
    /// The TLS handshake or a record of it failed.
    case tls
    /// The server's certificate is not trusted.
    case untrustedCertificate
    /// The connection ended before a byte of the response came.
    case noResponse
    /// The connection ended before the response did.
    case truncated
    /// The response breaks a rule of HTTP/1.1, or a limit; `violation` says which.
    case malformedResponse
    /// The body's content coding could not be undone.
    case contentCoding
    /// The body expanded beyond a limit of the configuration.
    case decompressionLimit
    /// A WebSocket could not be opened, or a rule of WebSocket was broken; `webSocketViolation` says which.
    case webSocket
    /// The proxy does not make a connection, or not for this client; `proxyStatus` is its status for CONNECT.
    case proxyRefused
    /// The SOCKS proxy does not make a connection, or does not speak SOCKS.
    case socks
    /// Authentication with the proxy failed, for another reason than that it refused.
    case proxyAuthentication
    /// A limit of time was exceeded; `seconds` says which.
    case timedOut
    /// The program cancelled the load.
    case cancelled
    /// The request's body could not be read, or not be read again.
    case requestBody
    /// The request cannot be sent as it is.
    case invalidRequest
  }

  /// The kind of failure.
  public let cause: Cause
  /// The phase that the load had reached.
  public let phase: LoadingPhase
  /// The party at fault: the caller, the server, the network, or this machine.
  public let fault: LoadingFault
  /// The limit that a time-out has run into, in seconds; `nil` for other causes.
  public let seconds: TimeInterval?
  /// Why, in words for people; the phase is not repeated.
  public let description: String
  /// The code of the `URLError` that carries this failure.
  public let code: URLError.Code

  /// The rule of HTTP/1 that was broken, and where, if that was the cause; its type is one of `BluebonnetHTTP1`.
  public let violation: HTTP1Error?

  /// The lines of the response's head in front of the one that breaks a rule, as they came; empty if the fault is in the
  /// first line or behind the head, and for other causes.
  public let linesBeforeFault: Data

  /// The rule of WebSocket that was broken, if that was the cause; its type is one of `BluebonnetWebSocket`.
  public let webSocketViolation: WebSocketError?

  /// Whether it was a proxy on the way that failed, refused or was not to be reached, rather than the server.
  public let isOfProxy: Bool

  /// The status of the proxy's answer to CONNECT, if it refused by one.
  public let proxyStatus: Int?

  init(_ error: TransportError) {
    isOfProxy = error.isOfProxy
    proxyStatus = if case .proxyRefused(let status, _) = error.cause { status } else { nil }
    violation =
      switch error.cause {
      case .malformed(let violation), .securePort(let violation), .invalidRequest(let violation): violation
      case .truncated(let violation): violation
      default: nil
      }
    webSocketViolation = if case .webSocket(let violation) = error.cause { violation } else { nil }
    (cause, code) = Self.translate(error.cause)
    linesBeforeFault = Data(error.linesBeforeFault)
    phase = LoadingPhase(error)
    fault = error.fault
    seconds = error.seconds
    description = error.description
  }

  private static func translate(_ cause: TransportError.Cause) -> (Cause, URLError.Code) {
    switch cause {
    case .unresolvedHost: (.unresolvedHost, .cannotFindHost)
    case .unconnected(let error):
      (
        error.isRefused ? .connectionRefused : .network,
        error.isUnreachable ? .notConnectedToInternet : .cannotConnectToHost
      )
    case .network: (.network, .networkConnectionLost)
    case .invalidHost: (.invalidHost, .cannotFindHost)
    case .tls(let error): (.tls, error.urlErrorCode)
    case .untrusted(let failure): (.untrustedCertificate, failure.urlErrorCode)
    case .noResponse: (.noResponse, .networkConnectionLost)
    case .truncated: (.truncated, .networkConnectionLost)
    case .malformed, .securePort: (.malformedResponse, .cannotParseResponse)
    case .coding(.bomb): (.decompressionLimit, .dataLengthExceedsMaximum)
    case .coding: (.contentCoding, .cannotDecodeContentData)
    case .webSocket(let error): (.webSocket, error.urlErrorCode)
    case .proxyRefused(407, _): (.proxyRefused, .userAuthenticationRequired)
    case .proxyRefused: (.proxyRefused, .cannotConnectToHost)
    case .socks: (.socks, .cannotConnectToHost)
    case .authentication: (.proxyAuthentication, .userAuthenticationRequired)
    case .timedOut: (.timedOut, .timedOut)
    case .cancelled: (.cancelled, .cancelled)
    case .bodySource: (.requestBody, .requestBodyStreamExhausted)
    case .invalidRequest: (.invalidRequest, .badURL)
    }
  }
}

extension URLError {
  /// The phase and cause of a failed load, if the network was reached for.
  public var transportFailure: TransportFailure? {
    errorUserInfo[NSUnderlyingErrorKey] as? TransportFailure
  }
}

extension ConnectError {
  /// There is no network, or none that leads there.
  fileprivate var isUnreachable: Bool {
    guard case .failed(let error, _) = self else { return false }
    return error.errno == ENETUNREACH || error.errno == ENETDOWN
  }
}

extension TLSError {
  fileprivate var urlErrorCode: URLError.Code {
    switch code {
    case .clientCertificateRequired: .clientCertificateRequired
    // The caller's own key and certificate are all that is read while a connection is made.
    case .clientCertificateRejected, .invalidKey: .clientCertificateRejected
    default: .secureConnectionFailed
    }
  }
}

extension TrustFailure? {
  fileprivate var urlErrorCode: URLError.Code {
    switch self?.reason {
    case .expired: .serverCertificateHasBadDate
    case .notYetValid: .serverCertificateNotYetValid
    case .selfSigned, .unknownIssuer: .serverCertificateHasUnknownRoot
    case .wrongHost, .revoked, .unstapled, .other, nil: .serverCertificateUntrusted
    }
  }
}

extension WebSocketError {
  fileprivate var urlErrorCode: URLError.Code {
    switch rule {
    case .notSwitching, .missingUpgrade, .wrongAccept, .unofferedSubprotocol, .unofferedExtension,
      .invalidExtensionParameters:
      .badServerResponse
    case .frameTooLong, .messageTooLong: .dataLengthExceedsMaximum
    case .truncated, .closed: .networkConnectionLost
    default:
      switch fault {
      case .peer: .cannotParseResponse
      // Nothing that could be sent.
      case .caller: .unsupportedURL
      case .local: .unknown
      }
    }
  }
}
