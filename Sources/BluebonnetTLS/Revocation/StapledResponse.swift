// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The server's statement in the handshake about the status of its certificate (RFC 6066 §8).
package enum StapledResponse: Sendable, Hashable {
  /// The server could not have sent any: the chain did not come by a full handshake.
  case notAsked
  /// The server was asked, and sent none.
  case missing
  /// An OCSP response in DER, or whatever was sent in its place.
  case response([UInt8])

  package var bytes: [UInt8]? {
    if case .response(let bytes) = self { bytes } else { nil }
  }

  /// Returns its statement about the leaf of a chain.
  ///
  /// - Parameters:
  ///   - chain: The server's certificate and the one that has signed it, at least.
  ///   - now: In seconds since 1970.
  package func answer(
    about chain: [Certificate], at now: Int64
  ) throws(RevocationFault) -> RevocationAnswer {
    guard let bytes else { throw .missing }
    guard chain.count > 1 else { throw .wrongSigner }
    return try OCSPQuestion(about: chain[0], issuer: chain[1]).answer(in: bytes, at: now)
  }

  /// Whether one has to come (RFC 7633): what an authority promises is promised for what it issues, too (§4.2.3.1).
  package static func isPromised(by chain: [Certificate]) -> Bool {
    chain.dropLast().contains(where: \.demandsStapling)
  }

  /// The failure if a stapled response is promised (RFC 7633) and there is none that says good, or if there is one that says
  /// revoked. A thief of the key of a revoked certificate has no good one, but may leave it out unless it is promised.
  ///
  /// - Parameters:
  ///   - chain: From the server's certificate to the anchor. A leaf that is the anchor is trusted as it is.
  ///   - now: In seconds since 1970.
  package func failure(about chain: [Certificate], at now: Int64) -> TrustFailure? {
    guard self != .notAsked, chain.count > 1 else { return nil }
    guard Self.isPromised(by: chain) else {
      guard let answer = try? answer(about: chain, at: now), case .revoked(let revocation) = answer.status
      else {
        return nil
      }
      return .revoked(revocation)
    }
    do throws(RevocationFault) {
      switch try answer(about: chain, at: now).status {
      case .good: return nil
      case .revoked(let revocation): return .revoked(revocation)
      case .unknown:
        return .brokenPromise(
          "says that the responder does not know the certificate", code: X509_V_ERR_OCSP_CERT_UNKNOWN)
      }
    } catch {
      return .brokenPromise("cannot be used: \(error)", code: X509_V_ERR_OCSP_VERIFY_FAILED)
    }
  }
}

extension TrustFailure {
  fileprivate static func revoked(_ revocation: Revocation) -> TrustFailure {
    TrustFailure(reason: .revoked, code: Int(X509_V_ERR_CERT_REVOKED), text: "certificate \(revocation)")
  }

  fileprivate static func brokenPromise(_ what: String, code: Int32) -> TrustFailure {
    TrustFailure(
      reason: .unstapled, code: Int(code),
      text: "the certificate promises a stapled OCSP response (RFC 7633), which \(what)")
  }
}
