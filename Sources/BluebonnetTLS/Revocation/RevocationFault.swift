// SPDX-License-Identifier: MIT

/// Why a source has no answer.
package enum RevocationFault: Error, Sendable, Hashable {
  /// There is nothing to ask.
  case missing
  /// It is not in the form it should have.
  case malformed
  /// The responder gives no answer (RFC 6960 §4.2.1, OCSPResponseStatus).
  case declined(status: Int32)
  /// Its signer may not speak for the issuer.
  case wrongSigner
  /// It is signed with an algorithm that can be forged.
  case weakSignature
  /// It says nothing about the certificate.
  case otherCertificate
  /// It answers another request.
  case otherNonce
  /// It begins to hold later on.
  case notYetValid
  case expired
  /// Nothing came, and why.
  case unreachable(String)
}

extension RevocationFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing: "there is none"
    case .malformed: "it is malformed"
    case .declined(let status): "the responder gives no answer (\(Self.name(of: status)))"
    case .wrongSigner: "it is not signed by the issuer, nor by a responder that the issuer has appointed"
    case .weakSignature: "its signature is of a kind that can be forged"
    case .otherCertificate: "it does not tell of the certificate"
    case .otherNonce: "it answers another request"
    case .notYetValid: "it does not hold yet"
    case .expired: "it is out of date"
    case .unreachable(let reason): reason
    }
  }

  private static func name(of status: Int32) -> String {
    switch status {
    case 1: "malformedRequest"
    case 2: "internalError"
    case 3: "tryLater"
    case 5: "sigRequired"
    case 6: "unauthorized"
    default: "status \(status)"
    }
  }
}
