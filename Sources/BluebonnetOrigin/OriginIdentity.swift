// SPDX-License-Identifier: MIT
import BluebonnetTLS

/// A certificate chain and its key, for an origin that speaks TLS.
public struct OriginIdentity: Sendable, Hashable {
  /// PEM texts of the certificates, the origin's own first.
  public let certificateChain: String
  /// The PEM text of the private key.
  public let privateKey: String

  /// An OCSP response in DER about the origin's own certificate, for clients that ask for one (RFC 6066 §8).
  public let stapledResponse: [UInt8]?

  /// Takes the texts as they stand in PEM files. Whether they fit is found out when an origin starts with them.
  ///
  /// - Parameters:
  ///   - certificateChain: PEM texts of the certificates, the origin's own first.
  ///   - privateKey: The PEM text of the private key.
  ///   - stapledResponse: An OCSP response in DER, sent as it is; `nil`, the default, for none.
  public init(certificateChain: String, privateKey: String, stapledResponse: [UInt8]? = nil) {
    self.certificateChain = certificateChain
    self.privateKey = privateKey
    self.stapledResponse = stapledResponse
  }

  func identity() throws(TLSError) -> TLSIdentity {
    try TLSIdentity(chainPEM: Array(certificateChain.utf8), keyPEM: Array(privateKey.utf8))
  }
}
