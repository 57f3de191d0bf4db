// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS

/// Why an origin could not be started.
public struct OriginError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The fault, in words.
  public let description: String

  init(_ description: String) { self.description = description }

  init(_ error: SystemError) { description = "the origin cannot listen: \(error)" }

  init(_ error: TLSError) { description = "the origin cannot speak TLS: \(error)" }
}
