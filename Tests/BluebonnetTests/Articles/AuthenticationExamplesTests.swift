// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Runs what the article *Authentication* shows.
@Suite struct AuthenticationExamplesTests {
  private let origin: Origin

  init() throws {
    origin = try Origin.start()
  }

  @Test(arguments: [
    "/basic-auth/user/secret", "/digest-auth/auth/user/secret?algorithm=SHA-256", "/ntlm-auth/user/secret",
  ])
  func passwords(_ path: String) async {
    #expect(await AuthenticationExamples.password(origin.baseURL + path) != nil)
  }

  /// A test has no ticket: what the server has said is the answer.
  @Test func tickets() async throws {
    origin.script("/kerberos", .response(status: 401, fields: [("WWW-Authenticate", "Negotiate")]))
    #expect(await AuthenticationExamples.kerberos(origin.baseURL + "/kerberos") == 401)
    // A password is none.
    let other = await AF.request(origin.baseURL + "/kerberos").authenticate(username: "a", password: "b")
      .serializingString().response.error
    #expect((other?.underlyingError as? URLError)?.code == .userAuthenticationRequired)
  }

  @Test func carefulSessionsTellNoPassword() async {
    let careful = AuthenticationExamples.careful()
    let response = await careful.request(origin.baseURL + "/basic-auth/user/secret")
      .authenticate(username: "user", password: "secret").serializingData().response
    #expect(response.response?.statusCode == 401)
    #expect(origin.requests.map { $0.value("Authorization") } == [nil])
  }

  @Test func storedCredentialsAreFound() {
    AuthenticationExamples.storing()
    #expect(
      URLCredentialStorage.shared.allCredentials.keys.contains {
        $0.host == "example.org" && $0.realm == "staff"
      })
  }

  /// A request that says who it is, is not taken for somebody whom the session knows.
  @Test func aCredentialOfTheRequestsOwnIsTheOnlyOne() async {
    let session = Session(configuration: .ephemeral)
    origin.script(
      "/who", .response(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"r\"")]),
      .response(status: 200),
      .response(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"r\"")]), .response(status: 200))
    for name in ["ann", "bob", "ann"] {
      let response = await session.request(origin.baseURL + "/who").authenticate(
        username: name, password: "p"
      )
      .serializingData(emptyResponseCodes: [200]).response
      #expect(response.response?.statusCode == 200)
    }
    let names = ["ann", "bob"].map { "Basic " + Data("\($0):p".utf8).base64EncodedString() }
    #expect(origin.requests.map { $0.value("Authorization") } == [nil, names[0], nil, names[1], names[0]])
  }
}
