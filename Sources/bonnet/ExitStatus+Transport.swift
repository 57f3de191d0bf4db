// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetHTTP1

extension ExitStatus {
  /// The code for a failed load.
  ///
  /// - Parameter hasHead: Whether the head of the response had come by then.
  init(_ error: URLError, hasHead: Bool) {
    if let failure = error.transportFailure {
      if failure.isOfProxy, failure.cause == .unresolvedHost {
        self = .unresolvedProxy
        return
      }
      self = Self.status(
        of: failure.cause, phase: failure.phase, hasHead: hasHead, rule: failure.violation?.rule)
    } else if error.refusedSetting?.member.hasPrefix("URLSessionConfiguration.tls.") == true {
      self = .badCiphers
    } else if error.refusedSetting?.member == CommandError.proxyFields {
      // As for a field of -H.
      self = .badURL
    } else {
      self = Self.status(of: error.code)
    }
  }

  static func status(
    of cause: TransportFailure.Cause, phase: LoadingPhase, hasHead: Bool, rule: HTTP1Error.Rule? = nil
  ) -> ExitStatus {
    switch cause {
    case .unresolvedHost: .unresolvedHost
    case .connectionRefused: .refused
    case .invalidHost, .invalidRequest: .badURL
    case .tls:
      switch phase {
      case .securing: .noTLS
      // Before there is a connection, only the files that secure it can be wrong.
      case .preparing, .waitingForTurn, .waitingForConnection, .resolving, .connecting: .badAuthorities
      default: .receiveFailed
      }
    case .untrustedCertificate: .badCertificate
    case .webSocket: .receiveFailed
    case .proxyRefused: .receiveFailed
    case .socks: .badProxy
    case .proxyAuthentication: .badAuthentication
    case .noResponse: .emptyReply
    // Interim responses are none.
    case .truncated: hasHead ? .cutShort : phase == .waiting ? .emptyReply : .receiveFailed
    case .malformedResponse: malformedResponse(rule, isOfProxy: phase == .tunnelling, hasHead: hasHead)
    case .contentCoding: .badCoding
    case .decompressionLimit: .tooLarge
    case .timedOut: .timedOut
    case .cancelled: .interrupted
    case .requestBody: .readFailed
    case .network:
      switch phase {
      case .connecting: .refused
      case .securing: .noTLS
      case .sending: .sendFailed
      default: .receiveFailed
      }
    }
  }
  private static func malformedResponse(
    _ rule: HTTP1Error.Rule?, isOfProxy: Bool, hasHead: Bool
  ) -> ExitStatus {
    switch rule {
    case .whitespaceBeforeFirstField: .badArgument
    // As in curl: it has no word for a line without a colon. The lines behind an invalid status line are not looked at.
    case .invalidFieldName where isOfProxy: .badArgument
    case _ where isOfProxy: .receiveFailed
    // No HTTP, or none of ours: a scheme that is not supported, says curl.
    case .invalidStatusLine, .invalidStatusCode, .unsupportedVersion: .unsupportedScheme
    case .unsupportedTransferEncoding: .badCoding
    case .lineTooLong: .outOfMemory
    case .headTooLong, .tooManyFields: .receiveFailed
    default: hasHead ? .receiveFailed : .malformedResponse
    }
  }
}
