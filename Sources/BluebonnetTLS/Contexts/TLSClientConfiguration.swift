// SPDX-License-Identifier: MIT

/// The TLS settings of a client, and its trust.
package struct TLSClientConfiguration: Sendable, Hashable {
  /// The verifier of the server's certificate.
  package enum Verification: Sendable, Hashable {
    /// The handshake fails if the chain, its dates or the host do not hold.
    case automatic
    /// The handshake completes in any case, and the driver evaluates `TLSEngine.serverTrust` before it writes
    /// the first byte of a request. If the server asks for a certificate, the handshake waits: the driver evaluates the
    /// trust first, and then says what the client proves itself with (`TLSEngine.authenticate(with:)`).
    case manual
  }

  package var minimumVersion: TLSVersion
  package var maximumVersion: TLSVersion
  /// Offered by ALPN, the most wanted first; empty offers nothing (RFC 7301).
  package var applicationProtocols: [String]
  package var anchors: TrustAnchors
  /// Whether chains to anchors other than the system's, too, must follow RFC 5280 to the letter.
  package var evaluatesOwnAnchorsStrictly: Bool
  /// Lists that chains are held to beside those that come with the anchors.
  package var revocationLists = RevocationListFiles()
  /// The client's certificate and key for a server that asks.
  package var identity: TLSIdentity?
  package var verification: Verification
  package var settings = TLSSettings()

  package init(
    minimumVersion: TLSVersion = .tls12, maximumVersion: TLSVersion = .tls13,
    applicationProtocols: [String] = ["http/1.1"], anchors: TrustAnchors = .system,
    evaluatesOwnAnchorsStrictly: Bool = false,
    identity: TLSIdentity? = nil, verification: Verification = .automatic
  ) {
    self.minimumVersion = minimumVersion
    self.maximumVersion = maximumVersion
    self.applicationProtocols = applicationProtocols
    self.anchors = anchors
    self.evaluatesOwnAnchorsStrictly = evaluatesOwnAnchorsStrictly
    self.identity = identity
    self.verification = verification
  }
}
