// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@testable import BluebonnetAuthentication

@Suite struct DigestChallengeTests {
  private func demand(_ parameters: String) -> DigestChallenge? {
    ChallengeList("Digest " + parameters).first("digest").flatMap { DigestChallenge($0) }
  }

  @Test(arguments: [
    ("realm=r, nonce=n", HashFunction.md5, false), ("realm=r, nonce=n, algorithm=md5", .md5, false),
    ("realm=r, nonce=n, algorithm=\"MD5-sess\"", .md5, true),
    ("realm=r, nonce=n, algorithm=SHA-256", .sha256, false),
    ("realm=r, nonce=n, algorithm=sha-256-SESS", .sha256, true),
    ("realm=r, nonce=n, algorithm=SHA-512-256", .sha512Half, false),
    ("realm=r, nonce=n, algorithm=SHA-512-256-sess", .sha512Half, true),
  ])
  func algorithms(_ text: String, _ hash: HashFunction, _ isSession: Bool) throws {
    let challenge = try #require(demand(text))
    #expect(challenge.hash == hash && challenge.isSession == isSession)
  }

  @Test(arguments: [
    ("", nil as DigestChallenge.Protection?), (", qop=auth", .request), (", qop=\"auth,auth-int\"", .request),
    (", qop=\"auth-int , AUTH\"", .request), (", qop=\"auth-int\"", .requestAndContent),
    (", qop=\"token, auth-int\"", .requestAndContent),
    // RFC 2617 §3.2.1: unknown options are ignored. Without any, the form is that of RFC 2069.
    (", qop=\"\"", nil), (", qop=\"auth-conf\"", nil), (", qop=\" , ,\"", nil),
    (", qop=auth-conf, qop=auth", .request), (", qop=auth, qop=auth-conf", nil),
    (", qop = \"auth\"", .request), (", QOP=\"\tauth\t\"", .request),
  ])
  func protections(_ text: String, _ protection: DigestChallenge.Protection?) throws {
    #expect(try #require(demand("realm=r, nonce=n" + text)).protection == protection)
  }

  /// Against the rule, and counted as an empty one by other clients.
  @Test func aMissingRealm() throws {
    #expect(try #require(demand("nonce=n")).realm == "")
    #expect(try #require(demand("nonce=n, realm")).realm == "")
  }

  /// The last of a name counts, as with curl.
  @Test func doubledParameters() throws {
    let challenge = try #require(demand("realm=a, realm=b, nonce=c, nonce=d"))
    #expect(challenge.realm == "b" && challenge.nonce == "d")
  }

  /// RFC 7616 §3.3 has what is not understood ignored.
  @Test(arguments: [
    "realm=r", "realm=r, nonce=n, algorithm=SHA-1", "realm=r, nonce=n, algorithm=\"\"",
    "realm=r, nonce=n, algorithm=-sess",
  ])
  func othersAreIgnored(_ text: String) {
    #expect(demand(text) == nil)
    #expect(AuthenticationOffer.all(in: [FieldValue("Digest " + text)], allowing: .all).isEmpty)
  }

  @Test func flags() throws {
    let plain = try #require(demand("realm=r, nonce=n, stale=false, userhash=no, charset=latin1"))
    #expect(!plain.isStale && !plain.takesHashedNames && !plain.takesUTF8 && plain.domain.isEmpty)
    let rich = try #require(
      demand("realm=r, nonce=n, stale=TRUE, userhash=\"true\", charset=\"utf-8\", domain=\"/a  /b\""))
    #expect(rich.isStale && rich.takesHashedNames && rich.takesUTF8 && rich.domain == ["/a", "/b"])
  }

  /// Whatever a server has repeated to it, it does not get without end.
  @Test(arguments: ["realm", "nonce", "opaque", "domain"]) func longValuesAreIgnored(_ name: String) {
    let others = ["realm", "nonce"].filter { $0 != name }.map { "\($0)=x, " }.joined()
    #expect(demand(others + "\(name)=\"\(String(repeating: "a", count: 4_096))\"") != nil)
    #expect(demand(others + "\(name)=\"\(String(repeating: "a", count: 4_097))\"") == nil)
  }
}
