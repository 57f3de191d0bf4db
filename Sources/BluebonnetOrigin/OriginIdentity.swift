import BluebonnetTLS

/// A certificate chain and its key, for an origin that speaks TLS.
public struct OriginIdentity: Sendable, Hashable {
  /// PEM texts of the certificates, the origin's own first.
  public let certificateChain: String
  /// The PEM text of the private key.
  public let privateKey: String

  /// Takes the texts as they stand in PEM files. Whether they fit is found out when an origin starts with them.
  public init(certificateChain: String, privateKey: String) {
    self.certificateChain = certificateChain
    self.privateKey = privateKey
  }

  func identity() throws(TLSError) -> TLSIdentity {
    try TLSIdentity(chainPEM: Array(certificateChain.utf8), keyPEM: Array(privateKey.utf8))
  }
}
