// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// Hands over an OCSP response about the peer's own certificate, in DER, in the place of what the server has stapled. It is
/// looked at in evaluations that check revocation. An earlier result is forgotten.
///
/// - Parameters:
///   - trust: The trust it belongs to.
///   - responseData: The response; `nil` takes an earlier one back.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: Data?) -> OSStatus {
  trust.change { $0.ownStaple = responseData.map { [UInt8]($0) } }
  return errSecSuccess
}

// Additions of this package.
extension SecTrust {
  /// The OCSP response that the server has stapled in the handshake (RFC 6066 §8), in DER, as it came; `nil` if there is none.
  /// A resumed session has that of the handshake that it began with.
  public var stapledOCSPResponse: Data? { stapled.bytes.map { Data($0) } }

  /// Checks what the server has stapled about its own certificate, and nothing else: it must be there, signed by the issuer
  /// or by a responder that the issuer has appointed, be current, and say good. Nothing is fetched.
  ///
  /// Whether the chain holds is not evaluated: that is what ``SecTrustEvaluateWithError(_:_:)`` is for.
  ///
  /// - Throws: A ``SecTrustError`` with the reason.
  public func evaluateStapledOCSPResponse() throws(SecTrustError) {
    let chain = certificates.map(\.certificate)
    let answer: RevocationAnswer
    do throws(RevocationFault) {
      answer = try stapled.answer(about: chain, at: evaluationTime)
    } catch {
      throw .unchecked("the server's stapled OCSP response: \(error)")
    }
    switch answer.status {
    case .good: break
    case .revoked(let revocation):
      throw SecTrustError(
        status: errSecCertificateRevoked, reason: "the server's stapled OCSP response says: \(revocation)")
    case .unknown:
      throw .unchecked("the server's stapled OCSP response: the responder does not know the certificate")
    }
  }
}
