/// Where trust begins.
package enum TrustAnchors: Sendable, Hashable {
  /// The system's, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
  case system
  /// A PEM file.
  case file(String)
  case certificates([Certificate])
}
