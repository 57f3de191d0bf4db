// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestAuthority
import Testing

@testable import BluebonnetURLLoading

/// Questions about revocation where the only way out is a proxy. Names below `test` lead nowhere but through one.
@Suite struct RevocationProxyTests {
  private let root: StatusAuthority
  private let responder: Origin
  private let proxy: ScriptedProxy

  init() throws {
    root = try StatusAuthority()
    responder = try Origin.start()
    proxy = try ScriptedProxy()
  }

  private func proxy(_ kind: Proxy.Kind) -> Proxy { Proxy(kind, host: "127.0.0.1", port: Int(proxy.port)) }

  private func port(of origin: Origin) throws -> Int { try #require(URL(string: origin.baseURL)?.port) }

  private func leaf(_ names: String, askingAt hosts: [String]) throws -> StatusLeaf {
    let port = try port(of: responder)
    let leaf = try root.server(
      names, extensions: hosts.map { .responders("http://\($0):\(port)/ocsp") })
    let good = try root.response(about: leaf)
    // The proxy passes on the absolute form that it is asked in.
    for base in [""] + hosts.map({ "http://\($0):\(port)" }) {
      responder.handle(base + "/ocsp") { _ in .response(body: good) }
    }
    return leaf
  }

  /// What comes of asking about a server that is not in a private network.
  private func status(_ leaf: StatusLeaf, through kind: Proxy.Kind) throws -> OSStatus {
    var settings = URLSessionConfiguration.Settings()
    settings.revocationProxySelection = .proxy(proxy(kind))
    return try status(leaf, settings)
  }

  private func status(_ leaf: StatusLeaf, _ settings: URLSessionConfiguration.Settings) throws -> OSStatus {
    let client = RevocationClient(for: settings)
    let trust = SecTrust(
      try ServerTrust(
        host: "www.test", chain: [Certificate(der: leaf.der)],
        anchors: .certificates([Certificate(der: root.der)])),
      revocation: RevocationService(client))
    // The machine may be busy.
    trust.change { $0.revocationPatience = 600 }
    SecTrustSetPolicies(trust, try #require(SecPolicyCreateRevocation(RevocationTests.hard)))
    var error: (any Error)?
    return SecTrustEvaluateWithError(trust, &error)
      ? errSecSuccess : try #require(error as? SecTrustError).status
  }

  @Test(arguments: [Proxy.Kind.http, .socks4a, .socks5h])
  func aNamedProxyIsAsked(_ kind: Proxy.Kind) throws {
    let leaf = try leaf("DNS:www.test", askingAt: ["responder.test"])
    #expect(try status(leaf, through: kind) == errSecSuccess)
    #expect(responder.requests.count == 1)
    #expect(proxy.asked.count == 1)
    #expect(proxy.asked.first?.text.contains("responder.test") == true)
  }

  /// Whoever names a server's responder must not reach what is behind the proxy.
  @Test func addressesOfPrivateNetworksAreNotAskedFor() throws {
    let places = [
      "10.1.2.3", "127.0.0.1", "localhost", "LOCALHOST.", "[::1]", "[fd00::1]", "169.254.169.254",
      // In other spellings (WHATWG URL, IPv4 parser).
      "2130706433", "127.1", "0x7f.1", "0xA9FEA9FE", "127.0.0.1.", "%31%30.1.2.3",
    ]
    for place in places {
      for kind in [Proxy.Kind.http, .socks5h, .socks5] {
        let leaf = try leaf("DNS:www.test", askingAt: [place])
        #expect(try status(leaf, through: kind) == errSecIncompleteCertRevocationCheck, "\(place)")
      }
    }
    #expect(proxy.connections == 0)
    for (index, place) in ["10.1.2.3", "0x0A010203"].enumerated() {
      let away = "http://responder.test:\(try port(of: responder))/away\(index)"
      responder.handle(away) { _ in .response(status: 302, fields: [("Location", "http://\(place)/ocsp")]) }
      let leaf = try root.server("DNS:www.test", extensions: [.responders(away)])
      #expect(try status(leaf, through: .http) == errSecIncompleteCertRevocationCheck)
      #expect(proxy.asked.count == index + 1)
    }
  }

  /// What the session's lists revoke is no proxy for these questions either.
  @Test(arguments: [true, false]) func aRevokedProxyIsNotAsked(isRevoked: Bool) throws {
    let identity = try root.server(serial: 7)
    let secure = try ScriptedProxy(
      OriginIdentity(certificateChain: identity.pem, privateKey: identity.keyPEM))
    defer { secure.stop() }
    let list = FileManager.default.temporaryDirectory.appendingPathComponent("list-\(UUID())")
    try Data(root.list(revoking: isRevoked ? [7] : [])).write(to: list)
    defer { try? FileManager.default.removeItem(at: list) }
    var settings = URLSessionConfiguration.Settings()
    settings.revocationProxySelection = .proxy(Proxy(.https, host: "127.0.0.1", port: Int(secure.port)))
    settings.proxyTrustAnchors = .certificates([try #require(SecCertificate(pem: root.pem))])
    settings.revocationListFiles = [list.path]
    let leaf = try leaf("DNS:www.test", askingAt: ["responder.test"])
    let expected = isRevoked ? errSecIncompleteCertRevocationCheck : errSecSuccess
    #expect(try status(leaf, settings) == expected)
    #expect(secure.asked.isEmpty == isRevoked)
  }

  /// Evaluates servers with a hard check for revocation.
  private final class Evaluator: URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let trust = challenge.protectionSpace.serverTrust,
        let policy = SecPolicyCreateRevocation(RevocationTests.hard)
      else { return completionHandler(.cancelAuthenticationChallenge, nil) }
      SecTrustSetPolicies(trust, policy)
      if SecTrustEvaluateWithError(trust, nil) {
        completionHandler(.useCredential, URLCredential(trust: trust))
      } else {
        completionHandler(.cancelAuthenticationChallenge, nil)
      }
    }
  }

  /// The session's own proxies are used only if that is said.
  @Test func aSessionSaysWhichWay() async throws {
    let leaf = try leaf("DNS:localhost", askingAt: ["responder.test"])
    let server = try Origin.start(
      security: .identity(OriginIdentity(certificateChain: leaf.pem, privateKey: leaf.keyPEM)))
    for isNamed in [false, true] {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: root.pem))])
      configuration.proxySelection = .proxy(proxy(.http), except: "localhost")
      if isNamed { configuration.revocationProxySelection = configuration.proxySelection }
      let session = URLSession(configuration: configuration, delegate: Evaluator(), delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      let url = try #require(URL(string: server.baseURL + "/get"))
      let succeeds = (try? await session.data(from: url)) != nil
      #expect(succeeds == isNamed)
      #expect(proxy.asked.count == (isNamed ? 1 : 0))
    }
    #expect(server.requests.count == 1)
  }
}
