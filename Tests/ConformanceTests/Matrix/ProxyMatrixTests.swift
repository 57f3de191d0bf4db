// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// Every proxy, with every way to ask for credentials, to plain origins and to those over TLS, with every kind of body.
@Suite(.enabled(if: RealServer.squid.isPresent, "squid does not run"))
struct ProxyMatrixTests {
  static let proxies = [
    MatrixProxy(.squid), MatrixProxy(.squidBasic, .basic), MatrixProxy(.squidDigest, .digest),
    MatrixProxy(.squidNegotiate, .negotiate), MatrixProxy(.squidAll, .digest),
    MatrixProxy(.squidTLS), MatrixProxy(.squidTLSBasic, .basic), MatrixProxy(.squidTLSDigest, .digest),
    MatrixProxy(.squidTLSNegotiate, .negotiate), MatrixProxy(.squidTLSAll, .digest),
    MatrixProxy(.tinyproxy), MatrixProxy(.tinyproxyPassword, .basic),
    MatrixProxy(.stunnel), MatrixProxy(.stunnelPassword, .basic),
    MatrixProxy(.ntlmProxy, .ntlm),
    MatrixProxy(.microsocks, kind: .socks5), MatrixProxy(.microsocks, kind: .socks5h),
    MatrixProxy(.microsocksPassword, .password, kind: .socks5h),
    MatrixProxy(.dante, kind: .socks4), MatrixProxy(.dante, kind: .socks5),
    MatrixProxy(.dante, kind: .socks5h),
    MatrixProxy(.socks4, kind: .socks4), MatrixProxy(.socks4, kind: .socks4a),
    MatrixProxy(.socks4User, .user, kind: .socks4a),
  ]

  /// The origin, plain and over TLS.
  static let origins = [RealServer.lighttpd, .lighttpdTLS]

  @Test func everyFieldIsAnswered() async {
    var matrix = Matrix("Proxies", ["scheme", "proxy", "message", "http", "https"])
    for proxy in Self.proxies {
      for message in MatrixMessage.allCases {
        matrix.row(
          [proxy.scheme.rawValue, proxy.name, message.rawValue],
          Self.origins.map { origin in { try await faults(proxy, message, to: origin) } })
      }
    }
    await matrix.judge()
  }

  private func faults(
    _ proxy: MatrixProxy, _ message: MatrixMessage, to origin: RealServer
  ) async throws -> [String] {
    let url = try origin.url("/open/")
    var faults: [String] = []
    func ask(as credential: URLCredential?) async throws -> AFDataResponse<Data> {
      let session = try Session.matrix(through: proxy, as: credential)
      defer { withExtendedLifetime(session) {} }
      return try await message.request(url, on: session).serializingData().response
    }
    for (name, credential) in [("without", nil), ("stranger", proxy.scheme.stranger)]
    where proxy.scheme != .none && (name == "without" || credential != nil) {
      let response = try await ask(as: credential)
      // Who refuses is said: by 407, or by an error where there is no response. tinyproxy knows no difference.
      let isRefused =
        response.response.map {
          $0.statusCode == 407 || $0.statusCode == 401 && proxy.server == .tinyproxyPassword
        }
        ?? "\(response.error?.underlyingError, default: "")".contains("proxy")
      if !isRefused { faults.append("\(name): \(response.outcome)") }
    }
    let response = try await ask(as: proxy.scheme.credential)
    guard response.response?.statusCode == 200 else { return faults + [response.outcome] }
    let echo = try Echo(response)
    if try await !message.isWhat(echo) { faults.append("another body") }
    if echo.fields["proxy-authorization"] != nil || echo.scheme != nil {
      faults.append("the origin was shown credentials")
    }
    return faults
  }
}
