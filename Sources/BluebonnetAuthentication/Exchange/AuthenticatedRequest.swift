// SPDX-License-Identifier: MIT

/// The properties of a request that an answer may depend on.
package struct AuthenticatedRequest: Sendable {
  /// As it stands in the request line.
  package var method: String
  /// The path with its query, or the authority for CONNECT. For a proxy that is asked for an http resource by its absolute
  /// form it is that form (RFC 7616 §3.4.6), unless the proxy is known to want the path.
  package var target: String
  /// The content, where a proof may have to speak of it, too (`qop=auth-int`, RFC 7616 §3.4.3).
  package var content: Content

  package enum Content: Sendable {
    /// There is none.
    case none
    /// All of it is at hand.
    case bytes([UInt8])
    /// Its digest, by the function that ``HTTPAuthentication/contentHash`` names.
    case hashed([UInt8])
    /// There is some, and its digest is not known; the text says why, as a clause.
    case unknown(String)
  }

  package init(method: String, target: String, content: Content = .none) {
    self.method = method
    self.target = target
    self.content = content
  }

  var hasContent: Bool { if case .none = content { false } else { true } }
}
