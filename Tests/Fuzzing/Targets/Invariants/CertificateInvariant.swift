// SPDX-License-Identifier: MIT

// Any bytes are a certificate or an error. What is said of one is the same each time, and nobody is trusted but by an anchor.

@testable import BluebonnetTLS

enum CertificateInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    // As anchors are looked up, which parses as little as it can.
    let key = AnchorIndex.key(of: AnchorIndex.Entry(der: input, hasSettings: false))
    if key != AnchorIndex.key(of: AnchorIndex.Entry(der: input, hasSettings: false)) { return "another key" }
    guard let certificate = try? Certificate(der: input) else { return nil }
    if facts(of: certificate) != (try? Certificate(der: input)).map(facts) { return "not the same twice" }
    return violation(ofTrustIn: certificate)
  }

  private static func facts(of certificate: Certificate) -> [String] {
    [
      certificate.subject, certificate.issuer, certificate.subjectSummary ?? "-",
      certificate.commonName ?? "-",
      "\(certificate.notBefore) \(certificate.notAfter) \(certificate.serialNumber) \(certificate.sha256)",
      "\(certificate.isAuthority) \(certificate.isSelfIssued) \(certificate.demandsStapling)",
      "\(certificate.alternativeNames) \(certificate.responders) \(certificate.listLocations)",
      "\(certificate.publicKey.der)", certificate.pem,
    ]
  }

  /// It has no anchor but where it is one itself.
  private static func violation(ofTrustIn certificate: Certificate) -> String? {
    guard let other else { return "there is no anchor" }
    if certificate == other { return nil }
    for (anchors, mayHold) in [([other], false), ([], false), ([certificate], true)] {
      guard
        let trust = try? ServerTrust(host: "localhost", chain: [certificate], anchors: .certificates(anchors))
      else { continue }
      if trust.verified != nil, !mayHold { return "\(certificate) is trusted" }
      if case .success(let chain) = trust.evaluate(host: nil), chain.last.map(anchors.contains) != true {
        return "\(certificate) is trusted by \(chain)"
      }
      // What evaluators look at, whatever comes of the chain.
      _ = trust.path(anchors: nil, anchorsOnly: false)
    }
    return nil
  }

  private static let other = RevocationInvariant.certificate(RevocationInvariant.root)
}
