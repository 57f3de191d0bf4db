// SPDX-License-Identifier: MIT
import BluebonnetSemantics

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
