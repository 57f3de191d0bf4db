// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin

extension Tour {
  /// TLS with the server's certificate pinned.
  var security: [TourStop] {
    [
      TourStop(title: "TLS, the right certificate") {
        let session = try session(pinning: secure.certificateChain)
        let echo = try await echo(session.request(secure.baseURL + "/get"))
        return "\(echo.url.hasPrefix("https:") ? "https" : "http"), pinned and trusted"
      },
      TourStop(title: "TLS, the wrong certificate") {
        let session = try session(pinning: OriginAuthority().certificate)
        let before = secure.requests.count
        let response = await session.request(secure.baseURL + "/get").serializingData().response
        guard case .serverTrustEvaluationFailed? = response.error else {
          throw BrokenPromise("it ended with \(response.error.map { "\($0)" } ?? "success")")
        }
        try promise(secure.requests.count == before, "the request was sent all the same")
        return "refused, nothing was sent"
      },
    ]
  }

  /// A session that trusts the origin's authority and accepts only that one certificate.
  private func session(pinning text: String?) throws -> Session {
    guard let authority = secure.authority.flatMap({ SecCertificate(pem: $0) }),
      let pin = text.flatMap({ SecCertificate(pem: $0) })
    else { throw BrokenPromise("the origin's certificates cannot be read") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([authority])
    let evaluator = PinnedCertificatesTrustEvaluator(certificates: [pin])
    return Session(
      configuration: configuration,
      serverTrustManager: ServerTrustManager(evaluators: ["localhost": evaluator]))
  }
}
