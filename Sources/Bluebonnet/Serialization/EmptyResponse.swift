// SPDX-License-Identifier: MIT

/// A type that has a value for a response without a body.
public protocol EmptyResponse: Sendable {
  /// The value that stands for a response without a body.
  static func emptyValue() -> Self
}

/// The value of responses that say nothing.
public struct Empty: Codable, Hashable, Sendable {
  /// The only value of this type.
  public static let value = Empty()
}

extension Empty: EmptyResponse {
  /// Returns ``value``.
  public static func emptyValue() -> Empty { value }
}
