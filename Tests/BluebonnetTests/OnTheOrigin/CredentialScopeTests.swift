// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What is meant for one origin is not shown to another.
@Suite struct CredentialScopeTests {
  let home: Origin
  let away: Origin
  let session = Session(configuration: .inMemory)

  init() {
    home = Origin.inMemory()
    away = Origin.inMemory()
    home.script(
      "/away", .response(status: 307, fields: [("Location", away.baseURL + "/basic-auth/user/secret")]))
  }

  @Test func aCredentialAnswersTheOriginThatWasNamed() async throws {
    let response =
      await session
      .request(home.baseURL + "/basic-auth/user/secret").authenticate(username: "user", password: "secret")
      .serializingData().response
    #expect(response.response?.statusCode == 200)
  }

  @Test func aCredentialDoesNotAnswerAnotherOrigin() async throws {
    let response =
      await session
      .request(home.baseURL + "/away").authenticate(username: "user", password: "secret")
      .serializingData().response
    #expect(response.response?.statusCode == 401)
    #expect(away.requests.count == 1)
    #expect(away.requests.allSatisfy { $0.value("Authorization") == nil })
  }

  @Test func aCredentialAnswersOthersWhereTheCallerSaysSo() async throws {
    let response =
      await session
      .request(home.baseURL + "/away")
      .authenticate(username: "user", password: "secret", scope: .anyOrigin).serializingData().response
    #expect(response.response?.statusCode == 200)
    #expect(away.requests.last?.value("Authorization") == "Basic dXNlcjpzZWNyZXQ=")
  }

  /// A proxy is no origin: it never gets what is meant for one.
  @Test(arguments: [CredentialScope.namedOrigin, .anyOrigin]) func aProxyIsNotAnswered(scope: CredentialScope)
    async throws
  {
    let request = session.request(home.baseURL + "/get")
      .authenticate(username: "user", password: "secret", scope: scope)
    _ = await request.serializingData().response
    let task = try #require(request.task)
    let proxy = URLProtectionSpace(
      proxyHost: "127.0.0.1", port: Int(home.port), type: NSURLProtectionSpaceHTTPProxy, realm: "gate",
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    #expect(request.credential(for: proxy, of: task) == nil)
  }

  /// A request with a certificate of its own is sent nobody else's password.
  @Test func aCertificateIsNoLogin() async throws {
    let url = home.baseURL + "/basic-auth/user/secret"
    let first = await session.request(url).authenticate(username: "user", password: "secret")
      .serializingData().response
    #expect(first.response?.statusCode == 200)
    let fixtures = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/Fixtures/tls/"
    let archive = try Data(contentsOf: URL(filePath: fixtures + "client.p12"))
    let certificate = try URLCredential(pkcs12: archive, password: "bluebonnet")
    let second = await session.request(url).authenticate(with: certificate).serializingData().response
    #expect(second.response?.statusCode == 401)
    #expect(home.requests.last?.value("Authorization") == nil)
  }

  /// A challenge that was answered at home does not count against the next origin.
  @Test func eachOriginMayAskOnce() async throws {
    home.script(
      "/both",
      .response(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"x\"")]),
      .response(status: 307, fields: [("Location", away.baseURL + "/basic-auth/user/secret")]))
    let response =
      await session
      .request(home.baseURL + "/both")
      .authenticate(username: "user", password: "secret", scope: .anyOrigin).serializingData().response
    #expect(response.response?.statusCode == 200)
    #expect(away.requests.map { $0.value("Authorization") } == [nil, "Basic dXNlcjpzZWNyZXQ="])
  }

  @Test func theSchemeThatCouldNotBeAnsweredIsNamed() async throws {
    home.script(
      "/digest",
      .response(
        status: 401,
        fields: [
          ("WWW-Authenticate", "Negotiate"), ("WWW-Authenticate", "Digest realm=\"x, Basic\", nonce=\"n\""),
        ]))
    let response =
      await session
      .request(home.baseURL + "/digest").authenticate(username: "user", password: "secret")
      .serializingData().response
    #expect(response.response?.demandedAuthenticationSchemes == ["negotiate", "digest"])
    #expect(response.metrics?.unansweredAuthenticationSchemes == ["negotiate", "digest"])
    let answered =
      await session
      .request(home.baseURL + "/basic-auth/user/secret").authenticate(username: "user", password: "secret")
      .serializingData().response
    #expect(answered.metrics?.unansweredAuthenticationSchemes == [])
  }
}
