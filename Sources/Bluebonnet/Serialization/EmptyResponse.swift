/// A type that has a value for a response without a body.
public protocol EmptyResponse: Sendable {
  /// That value.
  static func emptyValue() -> Self
}

/// The value of responses that say nothing.
public struct Empty: Codable, Hashable, Sendable {
  /// The only value.
  public static let value = Empty()
}

extension Empty: EmptyResponse {
  /// ``value``.
  public static func emptyValue() -> Empty { value }
}
