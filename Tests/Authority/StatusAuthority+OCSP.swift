// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL
import Glibc

/// What a responder is made to say.
package struct TestAnswer: Sendable {
  package enum Status: Sendable {
    case good
    case revoked(reason: Int32)
    case unknown
  }

  package enum Digest: Sendable {
    case sha1
    case sha256
    case sha512
  }

  package var status = Status.good
  /// Seconds from now; nil leaves it out.
  package var thisUpdate = -60
  package var nextUpdate: Int? = 3_600
  package var identifierDigest = Digest.sha1
  package var signatureDigest = Digest.sha256
  package var nonce: [UInt8]?
  /// Who signs in the authority's place, with the certificate in the response.
  package var responder: StatusLeaf?

  package init(_ status: Status = .good) {
    self.status = status
  }

  package func with(_ change: (inout TestAnswer) -> Void) -> TestAnswer {
    var copy = self
    change(&copy)
    return copy
  }
}

extension StatusAuthority {
  /// An OCSP response about certificates of this authority's.
  ///
  /// - Parameters:
  ///   - certificates: Whom it is about, each with its answer; dates, digests and signer are the first one's.
  ///   - signer: Another authority that signs in its own name.
  package func response(
    about certificates: [(TestCertificate, TestAnswer)], signedBy signer: StatusAuthority? = nil
  ) throws -> [UInt8] {
    guard let basic = OCSP_BASICRESP_new() else { throw TestAuthorityError("response") }
    defer { OCSP_BASICRESP_free(basic) }
    let now = time(nil)
    for (certificate, answer) in certificates {
      guard
        let identifier = OCSP_cert_to_id(
          answer.identifierDigest.method, certificate.pointer, self.certificate.pointer)
      else { throw TestAuthorityError("identifier") }
      defer { OCSP_CERTID_free(identifier) }
      let this = ASN1_TIME_set(nil, now + answer.thisUpdate)
      let next = answer.nextUpdate.flatMap { ASN1_TIME_set(nil, now + $0) }
      let revoked = ASN1_TIME_set(nil, now - 7_200)
      defer { for one in [this, next, revoked] { ASN1_STRING_free(one) } }
      // OCSP has the one form of time only.
      let thisUpdate = ASN1_TIME_to_generalizedtime(this, nil)
      let nextUpdate = next.flatMap { ASN1_TIME_to_generalizedtime($0, nil) }
      defer { for one in [thisUpdate, nextUpdate] { ASN1_STRING_free(one) } }
      let added: OpaquePointer?
      switch answer.status {
      case .good:
        added = OCSP_basic_add1_status(
          basic, identifier, V_OCSP_CERTSTATUS_GOOD, 0, nil, thisUpdate, nextUpdate)
      case .unknown:
        added = OCSP_basic_add1_status(
          basic, identifier, V_OCSP_CERTSTATUS_UNKNOWN, 0, nil, thisUpdate, nextUpdate)
      case .revoked(let reason):
        added = OCSP_basic_add1_status(
          basic, identifier, V_OCSP_CERTSTATUS_REVOKED, reason, revoked, thisUpdate, nextUpdate)
      }
      guard added != nil else { throw TestAuthorityError("status") }
    }
    let model = certificates.first?.1 ?? TestAnswer()
    if var nonce = model.nonce { OCSP_basic_add1_nonce(basic, &nonce, Int32(nonce.count)) }
    let author = signer ?? self
    let signed = OCSP_basic_sign(
      basic, model.responder?.certificate.pointer ?? author.certificate.pointer,
      model.responder?.key.pointer ?? author.key.pointer, model.signatureDigest.method, nil,
      // The issuer's own certificate is what the client has.
      model.responder == nil ? UInt(OCSP_NOCERTS) : 0)
    guard signed == 1 else { throw TestAuthorityError("signature") }
    guard let response = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic) else {
      throw TestAuthorityError("response")
    }
    defer { OCSP_RESPONSE_free(response) }
    return encoded { i2d_OCSP_RESPONSE(response, $0) }
  }

  package func response(about leaf: StatusLeaf, _ answer: TestAnswer = TestAnswer()) throws -> [UInt8] {
    try response(about: [(leaf.certificate, answer)])
  }

  /// A responder that will not answer.
  package static func refusal(_ status: Int32) throws -> [UInt8] {
    guard let response = OCSP_response_create(status, nil) else { throw TestAuthorityError("refusal") }
    defer { OCSP_RESPONSE_free(response) }
    return encoded { i2d_OCSP_RESPONSE(response, $0) }
  }
}

extension TestAnswer.Digest {
  var method: OpaquePointer? {
    switch self {
    case .sha1: EVP_sha1()
    case .sha256: EVP_sha256()
    case .sha512: EVP_sha512()
    }
  }
}
