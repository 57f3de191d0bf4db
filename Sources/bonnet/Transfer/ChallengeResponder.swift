// SPDX-License-Identifier: MIT
import Bluebonnet

/// Answers the challenges of servers and proxies by the options of an operation.
struct ChallengeResponder: Sendable {
  /// What a challenge is met with.
  struct Answer: Sendable {
    var disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?
    /// A server has asked for Basic, of several schemes.
    var choosesBasic = false

    static let usual = Answer(disposition: .performDefaultHandling)
    static let refusal = Answer(disposition: .rejectProtectionSpace)
  }

  private let security: SecurityOptions
  private let authentication: AuthenticationOptions
  private let proxy: ProxyOptions

  init(_ operation: Operation) {
    security = operation.security
    authentication = operation.authentication
    proxy = operation.proxy
  }

  /// - Parameter credentials: Those for the server that is asked.
  /// - Throws: the reason to end the transfer.
  func answer(
    _ challenge: URLAuthenticationChallenge, credentials: (user: String, password: String)?
  ) throws(CommandError) -> Answer {
    let space = challenge.protectionSpace
    if let trust = space.serverTrust { return try answer(trust, of: space.host) }
    // What it has is the session's.
    if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate { return .usual }
    guard challenge.previousFailureCount == 0 else { return .refusal }
    return space.isProxy() ? proxyAnswer(space) : serverAnswer(space, credentials)
  }

  /// The lines of `-v` about a certificate; empty for other challenges.
  func certificateLines(_ challenge: URLAuthenticationChallenge) -> [String] {
    let space = challenge.protectionSpace
    guard let trust = space.serverTrust else { return [] }
    return CertificateText.lines(
      trust, of: space.host, isProxy: space.isProxy(),
      acceptsAny: space.isProxy() ? proxy.acceptsAnyCertificate : security.acceptsAnyCertificate)
  }

  private func serverAnswer(
    _ space: URLProtectionSpace, _ credentials: (user: String, password: String)?
  ) -> Answer {
    let method = space.authenticationMethod
    guard authentication.methods.answers(method), authentication.methods != .basic, let credentials else {
      return .refusal
    }
    // Of Negotiate the ticket is the proof, whatever -u says.
    let isTicket = method == NSURLAuthenticationMethodNegotiate
    return Answer(
      disposition: .useCredential,
      credential: URLCredential(
        user: isTicket ? "" : credentials.user, password: isTicket ? "" : credentials.password,
        persistence: .none),
      choosesBasic: method == NSURLAuthenticationMethodHTTPBasic)
  }

  private func proxyAnswer(_ space: URLProtectionSpace) -> Answer {
    guard proxy.methods.answers(space.authenticationMethod), let user = proxy.user else { return .refusal }
    let (name, password) = ProxyChoice.credentials(user)
    return Answer(
      disposition: .useCredential,
      credential: URLCredential(user: name, password: password, persistence: .none))
  }

  // MARK: Certificates

  private func answer(_ trust: SecTrust, of host: String) throws(CommandError) -> Answer {
    if security.checksStatus { try checkStatus(of: trust) }
    // An untrusted certificate is refused for that, whatever its key.
    let isTrusted = security.acceptsAnyCertificate || SecTrustEvaluateWithError(trust, nil)
    if !security.pins.isEmpty, isTrusted {
      guard let key = SecTrustGetCertificateAtIndex(trust, 0), security.pins.contains(where: { $0.fits(key) })
      else { throw CommandError(.badPin, "the key of \(host) is none of those that --pinnedpubkey names") }
    }
    return security.acceptsAnyCertificate
      ? Answer(disposition: .useCredential, credential: URLCredential(trust: trust)) : .usual
  }

  /// `--cert-status`: the response that the server has stapled has to say good.
  ///
  /// A chain that does not hold for another reason goes first, as with curl: then nothing is said here.
  private func checkStatus(of trust: SecTrust) throws(CommandError) {
    // With -k there are no authorities, hence no trusted signer of the response; so it is in curl.
    if security.acceptsAnyCertificate {
      throw CommandError(
        .badCertificateStatus, "with -k no signer of the server's stapled OCSP response is trusted")
    }
    do throws(SecTrustError) {
      try trust.evaluateStapledOCSPResponse()
    } catch {
      var chainError: (any Error)?
      if !SecTrustEvaluateWithError(trust, &chainError), let status = (chainError as? SecTrustError)?.status,
        // These two may be about the staple itself (RFC 7633).
        status != errSecIncompleteCertRevocationCheck, status != errSecCertificateRevoked
      {
        return
      }
      throw CommandError(.badCertificateStatus, "\(error)")
    }
  }
}

extension AuthenticationOptions.Methods {
  /// Whether a challenge of this kind may be answered.
  func answers(_ method: String) -> Bool {
    switch method {
    case NSURLAuthenticationMethodHTTPBasic: contains(.basic)
    case NSURLAuthenticationMethodHTTPDigest: contains(.digest)
    case NSURLAuthenticationMethodNTLM: contains(.ntlm)
    case NSURLAuthenticationMethodNegotiate: contains(.negotiate)
    default: false
    }
  }
}
