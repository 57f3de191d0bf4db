import BluebonnetFoundation
import BluebonnetTLS

// The Security functions under their own names, with Swift's types in place of Core Foundation's.

/// Makes a trust of certificates, the peer's own first, to be judged by a policy.
public func SecTrustCreateWithCertificates(
  _ certificates: [SecCertificate], _ policy: SecPolicy?, _ trust: inout SecTrust?
) -> OSStatus {
  var host = ""
  if case .server(let name?) = policy?.rule { host = name }
  guard !certificates.isEmpty,
    let made = try? ServerTrust(host: host, chain: certificates.map(\.certificate), anchors: .system)
  else { return errSecParam }
  trust = SecTrust(made, policies: [policy ?? SecPolicyCreateBasicX509()])
  return errSecSuccess
}

/// Replaces the policies.
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: [SecPolicy]) -> OSStatus {
  trust.rules.withLock { $0.policies = policies }
  return errSecSuccess
}

/// Replaces the policies by one.
public func SecTrustSetPolicies(_ trust: SecTrust, _ policy: SecPolicy) -> OSStatus {
  SecTrustSetPolicies(trust, [policy])
}

/// Trusts these certificates instead of the system's. An empty list trusts nothing.
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchors: [SecCertificate]) -> OSStatus {
  trust.rules.withLock {
    $0.anchors = anchors
    $0.anchorsOnly = true
  }
  return errSecSuccess
}

/// Whether the system's certificates are trusted beside those that were set.
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorsOnly: Bool) -> OSStatus {
  trust.rules.withLock { $0.anchorsOnly = anchorsOnly }
  return errSecSuccess
}

/// Judges; if the answer is no, `error` says why.
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

/// The chain, from the peer's own certificate up.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [SecCertificate]? { trust.certificates }

/// How many certificates there are.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> Int { trust.serverTrust.chain.count }

/// One of the certificates, the peer's own first.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: Int) -> SecCertificate? {
  let chain = trust.serverTrust.chain
  return chain.indices.contains(index) ? SecCertificate(chain[index]) : nil
}

/// The public key of the peer.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
  trust.serverTrust.leaf.map { SecKey($0.publicKey) }
}
