// SPDX-License-Identifier: MIT

/// One header field: a name and a value.
public struct HTTPHeader: Equatable, Hashable, Sendable {
  /// The name, in the case it will be sent in.
  public let name: String
  /// The text behind the colon. Not checked here: a request with a line break or a NUL in a value is refused before
  /// anything is sent.
  public let value: String

  /// The field of this name and value.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPHeader: CustomStringConvertible {
  /// The field as a line: `Name: value`.
  public var description: String {
    "\(name): \(value)"
  }
}
