// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// Every scheme, at every server that asks for it, by every way there, with every kind of body: without credentials and
/// with wrong ones it is refused, with the right ones it gets through whole.
@Suite(.enabled(if: RealServer.apache.isPresent, "Apache does not run"))
struct AuthenticationMatrixTests {
  struct Origin: Sendable {
    let scheme: MatrixScheme
    let plain: RealServer
    let secure: RealServer
    let path: String

    init(_ scheme: MatrixScheme, _ plain: RealServer, _ secure: RealServer, _ path: String) {
      (self.scheme, self.plain, self.secure, self.path) = (scheme, plain, secure, path)
    }
  }

  static let origins = [
    Origin(.none, .nginx, .nginxTLS, "/open/"),
    Origin(.none, .apache, .apacheTLS, "/open/"),
    Origin(.none, .lighttpd, .lighttpdTLS, "/open/"),
    Origin(.basic, .nginx, .nginxTLS, "/basic/"),
    Origin(.basic, .apache, .apacheTLS, "/basic/"),
    Origin(.basic, .lighttpd, .lighttpdTLS, "/basic/"),
    Origin(.digest, .apache, .apacheTLS, "/digest/"),
    Origin(.digest, .lighttpd, .lighttpdTLS, "/digest/"),
    Origin(.digestSHA256, .lighttpd, .lighttpdTLS, "/digest-sha256/"),
    Origin(.ntlm, .ntlm, .ntlmTLS, "/"),
    Origin(.negotiate, .apache, .apacheTLS, "/negotiate/"),
  ]

  @Test func everyFieldIsAnswered() async {
    var matrix = Matrix(
      "Schemes, servers and ways", ["scheme", "server", "message"] + MatrixRoute.allCases.map(\.rawValue))
    for origin in Self.origins {
      for message in MatrixMessage.allCases {
        matrix.row(
          [origin.scheme.rawValue, "\(origin.plain)", message.rawValue],
          MatrixRoute.allCases.map { route in { try await faults(origin, message, by: route) } })
      }
    }
    await matrix.judge()
  }

  private func faults(
    _ origin: Origin, _ message: MatrixMessage, by route: MatrixRoute
  ) async throws -> [String] {
    let url = try (route.isSecure ? origin.secure : origin.plain).url(origin.path)
    var faults: [String] = []
    func ask(_ credential: URLCredential?) async throws -> AFDataResponse<Data> {
      let session = try Session.matrix(through: route.proxy)
      defer { withExtendedLifetime(session) {} }
      let request = try message.request(url, on: session)
      if let credential { request.authenticate(with: credential) }
      return await request.serializingData().response
    }
    if origin.scheme != .none {
      let response = try await ask(nil)
      if response.response?.statusCode != 401 { faults.append("without: \(response.outcome)") }
    }
    if let credential = origin.scheme.wrongCredential {
      let response = try await ask(credential)
      if response.response?.statusCode != 401 { faults.append("wrong: \(response.outcome)") }
    }
    let response = try await ask(origin.scheme.credential)
    guard response.response?.statusCode == 200 else { return faults + [response.outcome] }
    let echo = try Echo(response)
    if try await !message.isWhat(echo) { faults.append("another body") }
    if !origin.scheme.isWhat(echo) { faults.append("shown \(echo.scheme ?? "nothing")") }
    if echo.fields["proxy-authorization"] != nil { faults.append("the proxy's credentials") }
    return faults
  }
}
