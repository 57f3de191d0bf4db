import Bluebonnet

/// `--cert-status`.
enum CertificateStatusCheck {
  /// The fault of the response that the server has stapled; nil if it says good.
  ///
  /// A chain that does not hold for another reason goes first, as with curl: then nothing is said here.
  static func error(of trust: SecTrust, _ options: SecurityOptions) -> CommandError? {
    // With -k there are no authorities, hence no trusted signer of the response; so it is in curl.
    if options.acceptsAnyCertificate {
      return CommandError(
        .badCertificateStatus, "with -k no signer of the server's stapled OCSP response is trusted")
    }
    do throws(SecTrustError) {
      try trust.evaluateStapledOCSPResponse()
      return nil
    } catch {
      var chainError: (any Error)?
      guard !SecTrustEvaluateWithError(trust, &chainError),
        let status = (chainError as? SecTrustError)?.status
      else { return CommandError(.badCertificateStatus, "\(error)") }
      // These two may be about the staple itself (RFC 7633).
      return status == errSecIncompleteCertRevocationCheck || status == errSecCertificateRevoked
        ? CommandError(.badCertificateStatus, "\(error)") : nil
    }
  }
}
