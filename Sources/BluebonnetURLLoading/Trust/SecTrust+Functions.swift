// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

// The Security functions under their own names, with Swift's types in place of Core Foundation's.

/// Makes a trust of certificates, the peer's own first, to be evaluated by a policy.
@discardableResult
public func SecTrustCreateWithCertificates(
  _ certificates: [SecCertificate], _ policy: SecPolicy?, _ trust: inout SecTrust?
) -> OSStatus {
  var host = ""
  switch policy?.rule {
  case .server(let name?), .client(let name?): host = name
  default: break
  }
  guard !certificates.isEmpty,
    let made = try? ServerTrust(
      host: host, chain: certificates.map(\.certificate), anchors: .system, isEvaluated: false)
  else { return errSecParam }
  trust = SecTrust(made, policies: [policy ?? SecPolicyCreateBasicX509()])
  return errSecSuccess
}

/// Replaces the policies. An earlier result is forgotten.
///
/// - Parameters:
///   - trust: The trust.
///   - policies: All of them have to hold. Without any, those count that the trust was made with: the server's of a
///     challenge, host included.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: [SecPolicy]) -> OSStatus {
  trust.change { $0.policies = policies }
  return errSecSuccess
}

/// Replaces a trust's policies by one.
///
/// - Returns: `errSecSuccess`, or why the policy cannot be applied.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policy: SecPolicy) -> OSStatus {
  SecTrustSetPolicies(trust, [policy])
}

/// Trusts these certificates instead of the system's. An empty list trusts nothing. An earlier result is forgotten.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchors: [SecCertificate]) -> OSStatus {
  trust.change {
    $0.anchors = anchors
    $0.anchorsOnly = true
  }
  return errSecSuccess
}

/// Whether none but the certificates that were set are trusted, or the system's beside them.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorsOnly: Bool) -> OSStatus {
  trust.change { $0.anchorsOnly = anchorsOnly }
  return errSecSuccess
}

/// Evaluates a trust by its policies and anchors; false if the certificates are not trusted, and `error` says why. Blocks the
/// calling thread; for the network only if one of the policies checks revocation.
@discardableResult
public func SecTrustEvaluateWithError(
  _ trust: SecTrust, _ error: UnsafeMutablePointer<(any Error)?>?
) -> Bool {
  do {
    try trust.evaluate()
    return true
  } catch let failure {
    error?.pointee = failure
    return false
  }
}

/// The chain, from the peer's own certificate up: each certificate has signed the one before.
///
/// After an evaluation that succeeded it is the chain that was verified, anchor included. Otherwise it leads as far as
/// there are certificates that have signed, among those that the peer sent and the anchors. A certificate that the peer
/// merely sent along is never in it.
@discardableResult
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [SecCertificate]? { trust.certificates }

/// The number of certificates in the chain, the server's own included.
@discardableResult
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> Int { trust.certificates.count }

/// One of the certificates, the peer's own first.
@discardableResult
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: Int) -> SecCertificate? {
  let chain = trust.certificates
  return chain.indices.contains(index) ? chain[index] : nil
}

/// The public key of the server's own certificate; `nil` if it is of a kind that cannot be read.
@discardableResult
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
  trust.serverTrust.leaf.map { SecKey($0.publicKey) }
}
