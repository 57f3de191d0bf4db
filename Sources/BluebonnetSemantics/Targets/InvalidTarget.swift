// SPDX-License-Identifier: MIT

/// Why a URL is no target of an HTTP request.
package struct InvalidTarget: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The scheme is neither http nor https, nor ws nor wss, or there is none.
    case unsupportedScheme
    /// The host or the port is missing or cannot be one.
    case malformed
  }

  package let kind: Kind
  /// The reason, in words for people.
  package let description: String

  init(_ kind: Kind = .malformed, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
