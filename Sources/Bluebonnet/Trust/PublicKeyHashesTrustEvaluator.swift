// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Trusts a server that presents a certificate with a public key of one of the pinned hashes.
///
/// A pin is the SHA-256 of a certificate's `SubjectPublicKeyInfo` in Base64, as `curl --pinnedpubkey` and HPKP (RFC 7469) write it.
/// It names a key without holding it, so that a key which no certificate has been made for yet can be pinned as a backup. An
/// addition of this package.
public final class PublicKeyHashesTrustEvaluator: ServerTrustEvaluating {
  private let pins: Set<PublicKeyHash>
  private let performDefaultValidation: Bool
  private let validateHost: Bool

  /// An evaluator that pins the keys with these hashes.
  ///
  /// - Parameters:
  ///   - hashes: Each in Base64, alone or behind `sha256/` or `sha256//`; one at least. One of them has to be of a certificate in
  ///     the chain that leads from the server's to its authority, whichever.
  ///   - backupHashes: Those of keys that are to take over some day. They count like the others, and none may be one of them:
  ///     it would be of no help once that key is lost.
  ///   - performDefaultValidation: Whether the chain is checked as well.
  ///   - validateHost: Whether the chain and the host name are checked as well.
  /// - Throws: ``PublicKeyHashError`` for a hash that is none, for no hashes at all, and for a backup that is none.
  public init(
    hashes: [String], backupHashes: [String] = [], performDefaultValidation: Bool = true,
    validateHost: Bool = true
  ) throws {
    guard !hashes.isEmpty else { throw PublicKeyHashError(reason: "there are no hashes") }
    var pins = Set(try hashes.map(PublicKeyHash.init))
    for text in backupHashes {
      guard pins.insert(try PublicKeyHash(text)).inserted else {
        throw PublicKeyHashError(hash: text, reason: "as a backup, it has to be another than the rest")
      }
    }
    self.pins = pins
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
  }

  /// Checks the chain and the host name if that is wanted, and that a pinned key is in the chain.
  ///
  /// - Parameters:
  ///   - trust: The server's certificates.
  ///   - host: The host that was asked for.
  /// - Throws: `AFError.serverTrustEvaluationFailed`; if no pin fits, with the reason `publicKeyPinningFailed` and no
  ///   `pinnedKeys`, since only their hashes are known.
  public func evaluate(_ trust: SecTrust, forHost host: String) throws {
    try trust.af.performValidations(ofChain: performDefaultValidation, ofHost: validateHost, forHost: host)
    let chain = trust.af.certificates
    guard chain.contains(where: { PublicKeyHash($0).map(pins.contains) ?? false }) else {
      throw AFError.serverTrustEvaluationFailed(
        reason: .publicKeyPinningFailed(
          host: host, trust: trust, pinnedKeys: [], serverKeys: chain.af.publicKeys))
    }
  }
}

extension ServerTrustEvaluating where Self == PublicKeyHashesTrustEvaluator {
  /// Trusts a server only if a public key of its chain has one of these hashes; see the initializer for the parameters.
  ///
  /// - Throws: ``PublicKeyHashError`` for hashes that cannot be pinned.
  public static func publicKeyHashes(
    _ hashes: [String], backupHashes: [String] = [], performDefaultValidation: Bool = true,
    validateHost: Bool = true
  ) throws -> PublicKeyHashesTrustEvaluator {
    try PublicKeyHashesTrustEvaluator(
      hashes: hashes, backupHashes: backupHashes, performDefaultValidation: performDefaultValidation,
      validateHost: validateHost)
  }
}
