// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// Asks about every certificate of a chain that holds, below its anchor: the anchor is trusted because the caller said so, and
/// has no issuer. Blocks the calling thread.
struct RevocationEvaluation {
  let trust: ServerTrust
  /// The server's stapled response, or one handed over in its place.
  var stapled: StapledResponse
  /// Whether responders and lists in private networks may be fetched from: the server is in one itself.
  var mayStayPrivate = false
  var service: RevocationService
  /// In seconds since 1970.
  var now = Int64(Date().timeIntervalSince1970)
  /// Seconds that all fetches together may take.
  var patience = Self.patience
  /// The same, unless a caller says otherwise.
  static let patience: TimeInterval = 5

  /// Holds a server to its certificate's promise (RFC 7633) and to its stapled response, as handshakes do: nothing is fetched.
  func checkPromise(of chain: [Certificate]) throws(SecTrustError) {
    if let failure = stapled.failure(about: chain, at: now) { throw SecTrustError(failure) }
  }

  /// - Parameters:
  ///   - chain: From the server's certificate to the anchor, verified.
  ///   - options: Which ways are used.
  func run(_ chain: [Certificate], _ options: RevocationOptions) throws(SecTrustError) {
    let end = DispatchTime.now() + patience
    for (index, issuer) in chain.dropFirst().enumerated() {
      let verdict = verdict(on: chain, at: index, issuer, options, until: end)
      guard let error = error(for: verdict, chain[index], options) else { continue }
      throw error
    }
  }

  private func verdict(
    on chain: [Certificate], at index: Int, _ issuer: Certificate, _ options: RevocationOptions,
    until end: DispatchTime
  ) -> RevocationCheck.Verdict {
    let certificate = chain[index]
    // Servers staple for their own certificate; what TLS 1.3 has for others (RFC 8446 §4.4.2.1) OpenSSL 3.0 does not give out.
    let isLeaf = index == 0
    let subject = RevocationCheck.Subject(
      isStapled: isLeaf && stapled.bytes != nil,
      demandsStapling: isLeaf && StapledResponse.isPromised(by: chain),
      responders: certificate.responders, lists: certificate.listLocations)
    var check = RevocationCheck(of: subject, options)
    var step = check.start()
    while true {
      switch step {
      case .conclude(let verdict): return verdict
      case .ask(let source):
        step = check.found(
          Result { () throws(RevocationFault) in
            try ask(source, about: certificate, issuer, chain, permission(options, until: end))
          })
      }
    }
  }

  private func ask(
    _ source: RevocationCheck.Source, about certificate: Certificate, _ issuer: Certificate,
    _ chain: [Certificate], _ permission: RevocationService.Permission
  ) throws(RevocationFault) -> RevocationAnswer {
    switch source {
    case .staple: try stapled.answer(about: chain, at: now)
    case .keptLists: try trust.keptAnswer(about: certificate, issuer: issuer, at: now)
    case .responder(let address):
      try service.answer(
        of: address, about: certificate, issuer: issuer, at: now, permission)
    case .list(let address):
      try service.answer(
        ofListAt: address, about: certificate, issuer: issuer, at: now, permission)
    }
  }

  /// One that hangs gets half of the time that is left, so that there is some for others.
  private func permission(
    _ options: RevocationOptions, until end: DispatchTime
  ) -> RevocationService.Permission {
    let (now, last) = (DispatchTime.now().uptimeNanoseconds, end.uptimeNanoseconds)
    let half = last > now ? (last - now) / 2 : 0
    return RevocationService.Permission(
      mayFetch: !options.contains(.staysOffline), mayStayPrivate: mayStayPrivate,
      end: DispatchTime(uptimeNanoseconds: now + half))
  }

  private func error(
    for verdict: RevocationCheck.Verdict, _ certificate: Certificate, _ options: RevocationOptions
  ) -> SecTrustError? {
    let name = certificate.subjectSummary ?? "serial number \(certificate.serialNumber)"
    switch verdict {
    case .good: return nil
    case .revoked(let revocation):
      return SecTrustError(
        status: errSecCertificateRevoked, reason: "the certificate of \(name) is \(revocation)")
    case .unknown:
      return .unchecked("its authority's responder does not know the certificate of \(name)")
    case .unstapled(let fault):
      return .unchecked("the certificate promises a stapled OCSP response (RFC 7633): \(fault)")
    case .unanswered(let fault):
      guard options.contains(.requiresAnswer) else { return nil }
      let reason = fault.map { "\($0)" } ?? "it names no responder"
      return .unchecked("it cannot be found out whether the certificate of \(name) is revoked: \(reason)")
    }
  }
}
