// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetOrigin

@Suite struct DigestAuthenticationTests {
  /// The examples of RFC 7616 §3.9.1 and, without a quality of protection, RFC 2069 as corrected.
  @Test(arguments: [
    ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
  ])
  func exampleOfTheStandard(algorithm: String, response: String) throws {
    let field = """
      Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=\(algorithm), \
      nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
      cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, \
      opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
      """
    let credentials = try #require(DigestCredentials(field))
    let expected = credentials.expectedResponse(
      password: "Circle of Life", method: "GET", body: [], algorithm: try #require(DigestAlgorithm(algorithm))
    )
    #expect(expected == response)
  }

  @Test func otherSchemesAndAlgorithms() {
    #expect(DigestCredentials("Basic abc") == nil)
    #expect(DigestAlgorithm("SHA-1") == nil)
    #expect(DigestAlgorithm("sha-256-sess")?.isSession == true)
  }

  @Test(arguments: ["auth", "auth-int", "none"], ["MD5", "SHA-256", "SHA-512-256", "MD5-sess"])
  func answeringTheChallenge(quality: String, algorithm: String) throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    let target = "/digest-auth/\(quality)/user/pass?algorithm=\(algorithm)"
    let refusal = try socket.exchange("POST", target, body: [1, 2])
    #expect(refusal.status == 401)
    let challenge = try #require(refusal["WWW-Authenticate"].flatMap(DigestCredentials.init))
    #expect(challenge["algorithm"] == algorithm)
    #expect(challenge["qop"] == (quality == "none" ? "" : quality))

    var field = "Digest username=\"user\", realm=\"\(challenge["realm"])\", nonce=\"\(challenge["nonce"])\""
    field += ", uri=\"\(target)\", cnonce=\"xyz\""
    if quality != "none" { field += ", nc=00000001, qop=\(quality)" }
    let credentials = try #require(DigestCredentials(field))
    for (password, status) in [("pass", 200), ("word", 401)] {
      let response = credentials.expectedResponse(
        password: password, method: "POST", body: [1, 2], algorithm: try #require(DigestAlgorithm(algorithm)))
      let reply = try socket.exchange(
        "POST", target, ["Authorization: \(field), response=\"\(response)\""], body: [1, 2])
      #expect(reply.status == status)
    }
  }

  @Test func strangersNoncesAreStale() throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    let field = "Digest username=\"u\", realm=\"bluebonnet\", nonce=\"1-2\", uri=\"/digest-auth/none/u/p\""
    let credentials = try #require(DigestCredentials(field))
    let response = credentials.expectedResponse(
      password: "p", method: "GET", body: [], algorithm: try #require(DigestAlgorithm("MD5")))
    let reply = try socket.exchange(
      "GET", "/digest-auth/none/u/p", ["Authorization: \(field), response=\"\(response)\""])
    #expect(reply["WWW-Authenticate"]?.hasSuffix("stale=true") == true)
  }
}
