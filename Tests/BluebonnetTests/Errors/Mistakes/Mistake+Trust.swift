// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

extension Mistake {
  private static func securing(
    _ name: String, _ text: String, validFor seconds: Range<Int> = -3_600..<3_600,
    names: [OriginAuthority.Name] = OriginAuthority.loopbackNames, isTrusted: Bool = true,
    isSelfSigned: Bool = false, manager: (@Sendable (Origin) throws -> ServerTrustManager)? = nil
  ) -> Mistake {
    Mistake(name, text) { _ in
      let authority = try OriginAuthority()
      let identity =
        try isSelfSigned
        ? OriginAuthority.selfSigned(names: names, validFor: seconds)
        : authority.issue(names: names, validFor: seconds)
      let stage = try MistakeStage(security: .identity(identity))
      let anchor = try #require(SecCertificate(pem: authority.certificate))
      let session = stage.session(serverTrustManager: try manager?(stage.origin)) {
        if isTrusted { $0.trustAnchors = .certificates([anchor]) }
      }
      let error = await stage.failure(of: session.request(stage.filled("https://ORIGIN/x")))
      return error.map { Said(text: stage.emptied($0.localizedDescription)) }
    }
  }

  static let securing: [Mistake] = [
    securing(
      "expired",
      """
      GET https://ORIGIN/x failed while securing the connection: the server's certificate was rejected: certificate \
      has expired.
      """, validFor: -7_200 ..< -3_600),
    securing(
      "for another host",
      """
      GET https://ORIGIN/x failed while securing the connection: the server's certificate was rejected: IP address \
      mismatch: the certificate is for elsewhere.example and 192.0.2.1, not for 127.0.0.1.
      """,
      names: [.host("elsewhere.example"), .address("192.0.2.1")]),
    securing(
      "self-signed",
      """
      GET https://ORIGIN/x failed while securing the connection: the server's certificate was rejected: self-signed \
      certificate….
      """, isSelfSigned: true),
    securing(
      "issued by nobody known",
      "GET https://ORIGIN/x failed while securing the connection: the server's certificate was rejected: …issuer….",
      isTrusted: false),
    Mistake(
      "https to a plain port",
      """
      GET https://ORIGIN/x failed while securing the connection: the server does not speak TLS at this port, \
      but something else, such as plain HTTP (wrong version number).
      """
    ) { stage in
      await stage.failure(of: stage.session().request(stage.filled("https://ORIGIN/x")))
    },
    Mistake(
      "a handshake that is broken off",
      "GET https://ORIGIN/x failed while securing the connection: …."
    ) { stage in
      stage.origin.reception = .close
      return await stage.failure(of: stage.session().request(stage.filled("https://ORIGIN/x")))
    },
    securing(
      "no evaluator for the host",
      "127.0.0.1 has no evaluator, and every host must have one (allHostsMustBeEvaluated).",
      manager: { _ in ServerTrustManager(evaluators: ["example.org": DefaultTrustEvaluator()]) }),
    securing(
      "another certificate is pinned",
      "127.0.0.1 presented none of the pinned certificates (… presented, 1 pinned).",
      manager: { _ in
        let pinned = try #require(SecCertificate(pem: try OriginAuthority.selfSigned().certificateChain))
        return ServerTrustManager(evaluators: [
          "127.0.0.1": PinnedCertificatesTrustEvaluator(
            certificates: [pinned], performDefaultValidation: false, validateHost: false)
        ])
      }),
  ]
}

/// An error that says what was said elsewhere.
struct Said: LocalizedError {
  let text: String
  var errorDescription: String? { text }
}
