// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The question for an OCSP responder (RFC 6960): the status of one certificate.
package struct OCSPQuestion: Sendable, Hashable {
  package let certificate: Certificate
  package let issuer: Certificate
  /// The nonce, to be repeated in an answer if it has any (§4.4.1); nil sends none. Most responders sign their answers
  /// beforehand and leave it out (RFC 5019 §4).
  package let nonce: [UInt8]?

  package init(about certificate: Certificate, issuer: Certificate, nonce: [UInt8]? = nil) {
    self.certificate = certificate
    self.issuer = issuer
    self.nonce = nonce
  }

  /// As many bytes as a nonce may have at most and should have at least (RFC 9654 §2.1).
  package static func freshNonce() -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) }
  }

  /// The request in DER; nil if OpenSSL cannot make it.
  ///
  /// The certificate is identified by SHA-1, the one function that all responders know (RFC 5019 §2.1.1): it has to find
  /// the certificate and protects nothing.
  package var request: [UInt8]? {
    OpenSSLLibrary.initialize()
    defer { ERR_clear_error() }
    guard let request = OCSP_REQUEST_new() else { return nil }
    defer { OCSP_REQUEST_free(request) }
    guard let identifier = OCSP_cert_to_id(EVP_sha1(), certificate.x509, issuer.x509) else { return nil }
    guard OCSP_request_add0_id(request, identifier) != nil else {
      OCSP_CERTID_free(identifier)
      return nil
    }
    if var nonce, OCSP_request_add1_nonce(request, &nonce, Int32(clamping: nonce.count)) != 1 { return nil }
    return derBytes { i2d_OCSP_REQUEST(request, $0) }
  }

  /// Returns the statement of a response, if it may be believed.
  ///
  /// - Parameters:
  ///   - response: A responder's answer in DER, or what a server has stapled.
  ///   - now: In seconds since 1970.
  package func answer(in response: [UInt8], at now: Int64) throws(RevocationFault) -> RevocationAnswer {
    let response = try OCSPResponse(response)
    try response.check(nonce)
    try response.checkSignature(of: issuer, at: now)
    return try response.answer(about: certificate, issuer: issuer, at: now)
  }
}
