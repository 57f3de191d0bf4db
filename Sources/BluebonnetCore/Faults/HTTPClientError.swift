import BluebonnetSemantics

/// Why a request failed, whose fault it was, and how far it had come.
public struct HTTPClientError: Error, Sendable {
  /// What has failed; decide by this.
  public let code: Code
  /// Who could mend it: `.caller`, `.server`, `.network` or `.local`.
  public let fault: LoadingFault
  /// What the request was doing.
  public let phase: LoadingPhase
  /// What was wrong, in words for people and logs. No secret of the request is in it.
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
  /// One line: the code, the reason, what the request was doing, and whose fault it was.
  public var description: String {
    "\(code): \(reason) (while \(phase.rawValue); fault: \(fault.rawValue))"
  }
}
