import Bluebonnet

extension ExitStatus {
  /// The code for a failed load.
  ///
  /// - Parameter hasHead: Whether the head of the response had come by then.
  init(_ error: URLError, hasHead: Bool) {
    if let failure = error.transportFailure {
      self = Self.status(of: failure.cause, phase: failure.phase, hasHead: hasHead)
    } else {
      self = Self.status(of: error.code)
    }
  }

  static func status(of cause: TransportFailure.Cause, phase: String, hasHead: Bool) -> ExitStatus {
    switch cause {
    case .unresolvedHost: .unresolvedHost
    case .connectionRefused: .refused
    case .invalidHost, .invalidRequest: .badURL
    case .tls: phase == "securing the connection" ? .noTLS : .receiveFailed
    case .untrustedCertificate: .badCertificate
    case .noResponse: .emptyReply
    case .truncated: hasHead ? .cutShort : .receiveFailed
    case .malformedResponse: hasHead ? .receiveFailed : .malformedResponse
    case .contentCoding: .badCoding
    case .timedOut: .timedOut
    case .cancelled: .interrupted
    case .requestBody: .readFailed
    case .network:
      switch phase {
      case "connecting": .refused
      case "securing the connection": .noTLS
      case "sending the request": .sendFailed
      default: .receiveFailed
      }
    }
  }
}
