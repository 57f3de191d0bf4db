/// What a proof may speak of: the request that it goes out with.
package struct AuthenticatedRequest: Sendable {
  /// As it stands in the request line.
  package var method: String
  /// As it stands in the request line: a path with its query for an origin, an authority for CONNECT, the absolute form
  /// for a proxy that is asked for http resources.
  package var target: String
  /// The content, where a proof may have to speak of it, too (`qop=auth-int`, RFC 7616 §3.4.3).
  package var content: Content

  package enum Content: Sendable {
    /// There is none.
    case none
    /// All of it is at hand.
    case bytes([UInt8])
    /// It cannot be known before it is sent; the text says why, as a clause.
    case unknown(String)
  }

  package init(method: String, target: String, content: Content = .none) {
    self.method = method
    self.target = target
    self.content = content
  }
}
