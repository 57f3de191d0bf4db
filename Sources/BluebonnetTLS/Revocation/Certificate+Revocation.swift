// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

// Where a certificate says that its status is told. Only plain HTTP: with TLS, another certificate would be in question.
extension Certificate {
  /// More than these are not asked, however many a certificate names.
  private static let sourceLimit = 3

  /// The OCSP responders (authorityInfoAccess, RFC 5280 §4.2.2.1).
  package var responders: [String] {
    guard let texts = X509_get1_ocsp(x509) else {
      ERR_clear_error()
      return []
    }
    defer { X509_email_free(texts) }
    let addresses = OpenSSLStack.members(of: texts).map {
      String(cString: $0.assumingMemoryBound(to: CChar.self))
    }
    return Array(addresses.filter(Self.isHTTP).prefix(Self.sourceLimit))
  }

  /// The places of revocation lists (cRLDistributionPoints, RFC 5280 §4.2.1.13): complete ones, of the issuer's own.
  package var listLocations: [String] {
    let addresses = withList(NID_crl_distribution_points, free: DIST_POINT_free) {
      $0.flatMap { Self.addresses(of: $0.pointee) }
    }
    return Array((addresses ?? []).filter(Self.isHTTP).prefix(Self.sourceLimit))
  }

  /// Whether the server has promised to staple an OCSP response (TLS feature status_request, RFC 7633).
  package var demandsStapling: Bool {
    guard X509_get_ext_by_NID(x509, NID_tlsfeature, -1) >= 0 else { return false }
    // What cannot be read may be this promise.
    return withList(NID_tlsfeature, free: ASN1_INTEGER_free) {
      $0.contains { ASN1_INTEGER_get($0) == Int(TLSEXT_TYPE_status_request) }
    } ?? true
  }

  /// Those with reasons tell of some revocations only, those with an issuer are another authority's.
  private static func addresses(of point: DIST_POINT) -> [String] {
    guard point.reasons == nil, point.CRLissuer == nil, let place = point.distpoint?.pointee, place.type == 0,
      let names = place.name.fullname
    else { return [] }
    return OpenSSLStack.members(of: names).compactMap { name in
      guard let (_, bytes) = ASN1Text.bytes(of: name.assumingMemoryBound(to: GENERAL_NAME.self), GEN_URI),
        !bytes.contains(0)
      else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func isHTTP(_ address: String) -> Bool { address.lowercased().hasPrefix("http://") }
}
