// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// A proof of the caller's identity, or of trust in the peer.
public final class URLCredential: Sendable, Hashable {
  /// The time that a credential is kept. There is no keychain: permanent ones end with the process.
  public enum Persistence: UInt, Sendable, Hashable {
    /// It is not stored, and serves the load with the challenge that it answers.
    case none = 0
    /// It is kept as long as the storage that it was given to.
    case forSession = 1
    /// The same as ``forSession``: there is no keychain, so it ends with the process at the latest.
    case permanent = 2
    /// The same as ``forSession``: nothing is shared between machines.
    case synchronizable = 3
  }

  enum Proof: Sendable, Hashable {
    case password(user: String, password: String)
    case trust(SecTrust)
    case identity(TLSIdentity)
  }

  let proof: Proof
  /// The time that the credential may be kept in a ``URLCredentialStorage``.
  public let persistence: Persistence

  init(_ proof: Proof, _ persistence: Persistence) {
    self.proof = proof
    self.persistence = persistence
  }

  /// Makes a credential of a name and a password. Both empty, it stands for the ticket in the caller's Kerberos cache.
  ///
  /// - Parameters:
  ///   - user: The name; sent in UTF-8 (RFC 7617 §2.1), for NTLM in UTF-16.
  ///   - password: The password; sent in UTF-8, or only proved.
  ///   - persistence: How long the credential may be kept.
  public init(user: String, password: String, persistence: Persistence) {
    proof = .password(user: user, password: password)
    self.persistence = persistence
  }

  /// The peer's certificates were evaluated and found good. Counts as the answer to the challenge that this very trust came
  /// with, and to no other.
  public init(trust: SecTrust) {
    proof = .trust(trust)
    persistence = .forSession
  }

  /// The name; `nil` for a credential of another kind.
  public var user: String? {
    if case .password(let user, _) = proof { user } else { nil }
  }

  /// The password; `nil` for a credential of another kind.
  public var password: String? {
    if case .password(_, let password) = proof { password } else { nil }
  }

  /// Whether the credential is one of a name and a password.
  public var hasPassword: Bool { password != nil }

  /// The certificates that were found good.
  package var trust: SecTrust? {
    if case .trust(let trust) = proof { trust } else { nil }
  }

  /// Credentials are equal if they prove the same and are kept as long.
  public static func == (left: URLCredential, right: URLCredential) -> Bool {
    left.proof == right.proof && left.persistence == right.persistence
  }

  /// Hashes the name and the password, the trust, or the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(proof) }
}
