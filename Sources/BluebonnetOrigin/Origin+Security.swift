// SPDX-License-Identifier: MIT
extension Origin {
  /// The security of an origin's connections.
  public enum Security: Sendable, Hashable {
    /// In the clear, without TLS.
    case plain
    /// TLS with a certificate for `localhost`, `127.0.0.1` and `::1` that a new authority issues in memory; clients
    /// that trust ``Origin/authority`` accept it.
    case tls
    /// TLS as with ``tls``, with a certificate of this authority's. Clients are asked for a certificate of the same
    /// authority's: one that has none is served only if it is not required, one with a bad one never.
    case clients(of: OriginAuthority, required: Bool = true)
    /// TLS with a certificate and a key of your own.
    case identity(OriginIdentity)
  }
}
