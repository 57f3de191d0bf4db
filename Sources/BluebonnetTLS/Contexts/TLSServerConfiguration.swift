// SPDX-License-Identifier: MIT

/// The TLS settings of a server.
package struct TLSServerConfiguration: Sendable, Hashable {
  /// Whether clients are asked for a certificate.
  package enum ClientCertificates: Sendable, Hashable {
    case ignored
    /// Asked for; a client without one is served, one with a bad one is not.
    case requested(anchors: [Certificate])
    case required(anchors: [Certificate])
  }

  package var identity: TLSIdentity
  package var minimumVersion: TLSVersion
  package var maximumVersion: TLSVersion
  /// Accepted by ALPN, the most wanted first; empty ignores what the client offers.
  package var applicationProtocols: [String]
  package var clientCertificates: ClientCertificates
  /// Whether clients may resume.
  package var resumes: Bool
  /// An OCSP response about the identity's certificate, for clients that ask for one (RFC 6066 §8).
  package var stapledResponse: [UInt8]?

  package init(
    identity: TLSIdentity, minimumVersion: TLSVersion = .tls12, maximumVersion: TLSVersion = .tls13,
    applicationProtocols: [String] = ["http/1.1"], clientCertificates: ClientCertificates = .ignored,
    resumes: Bool = true, stapledResponse: [UInt8]? = nil
  ) {
    self.identity = identity
    self.minimumVersion = minimumVersion
    self.maximumVersion = maximumVersion
    self.applicationProtocols = applicationProtocols
    self.clientCertificates = clientCertificates
    self.resumes = resumes
    self.stapledResponse = stapledResponse
  }
}
