// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// Key of an option of ``SecPKCS12Import(_:_:_:)``: the password, a string.
public let kSecImportExportPassphrase = "passphrase"
/// Key of an imported item's certificates, an array of ``SecCertificate``: the identity's own first.
public let kSecImportItemCertChain = "chain"
/// Key of an imported item's ``SecIdentity``.
public let kSecImportItemIdentity = "identity"
/// Key of an imported item's ``SecTrust``: its certificates, not evaluated, with the policy for any certificate.
public let kSecImportItemTrust = "trust"

/// Reads the identity in a PKCS #12 file (RFC 7292), with its private key, and what certificates are beside it.
///
/// Nothing is stored: there is no keychain. A file with several identities gives the first. Files that are encrypted in
/// the ways of old, such as RC2 with 40 bits, are `errSecDecode` where OpenSSL no longer has these.
///
/// - Parameters:
///   - data: The file.
///   - options: The password, by ``kSecImportExportPassphrase``. Other options concern keychains, and are not looked at.
///   - items: Set to an array of one dictionary, by ``kSecImportItemIdentity``, ``kSecImportItemCertChain`` and
///     ``kSecImportItemTrust``; not changed by a failure.
/// - Returns: `errSecSuccess`, `errSecAuthFailed` for a wrong password, `errSecPassphraseRequired` for a missing one,
///   `errSecDecode` for anything else.
@discardableResult
public func SecPKCS12Import(_ data: Data, _ options: [String: Any], _ items: inout [[String: Any]]?)
  -> OSStatus
{
  let password = options[kSecImportExportPassphrase]
  guard password == nil || password is String else { return errSecParam }
  do {
    let identity = try TLSIdentity(pkcs12: [UInt8](data), password: password as? String ?? "")
    let chain = identity.chain.map(SecCertificate.init)
    var trust: SecTrust?
    let status = SecTrustCreateWithCertificates(chain, SecPolicyCreateBasicX509(), &trust)
    guard status == errSecSuccess, let trust else { return status }
    items = [
      [
        kSecImportItemIdentity: SecIdentity(identity), kSecImportItemCertChain: chain,
        kSecImportItemTrust: trust,
      ]
    ]
    return errSecSuccess
  } catch {
    guard error.code == .wrongPassword else { return errSecDecode }
    return password == nil ? errSecPassphraseRequired : errSecAuthFailed
  }
}
