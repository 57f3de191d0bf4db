// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Puts `Encodable` parameters into a `URLRequest`: into its URL or its body.
///
/// Called for each attempt, on the session's ``Session/requestQueue``.
public protocol ParameterEncoder: Sendable {
  /// The request with the parameters in its URL or body; the request itself for `nil`.
  func encode<Parameters: Encodable & Sendable>(
    _ parameters: Parameters?, into request: URLRequest
  ) throws -> URLRequest
}
