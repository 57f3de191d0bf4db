// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct RequestCredentialsTests {
  private func target(_ url: String) throws -> TargetURI { try TargetURI(url) { $0 } }

  @Test func secretsStayAtTheirOriginAndDoNotComeBack() throws {
    let home = try target("http://u:p@a.test/")
    var secrets = RequestCredentials()
    secrets.take(from: home)
    #expect(secrets.authorization == "Basic dTpw" && !secrets.hasLeft)
    let leavesForItself = secrets.move(from: home.origin, to: try target("http://a.test:80/x"))
    #expect(!leavesForItself && secrets.authorization == "Basic dTpw" && !secrets.hasLeft)
    let away = try target("http://b.test/")
    let leaves = secrets.move(from: home.origin, to: away)
    #expect(leaves && secrets.authorization == nil && secrets.hasLeft)
    let returns = secrets.move(from: away.origin, to: try target("http://a.test/"))
    #expect(returns && secrets.authorization == nil && secrets.hasLeft)
  }

  @Test func whatWasProvedToOneOriginIsNotToTheNext() throws {
    var secrets = RequestCredentials()
    secrets.proved = "Digest dQ=="
    _ = secrets.move(from: try target("http://a.test/").origin, to: try target("http://a.test/b"))
    #expect(secrets.isProved)
    _ = secrets.move(from: try target("http://a.test/").origin, to: try target("https://a.test/b"))
    #expect(!secrets.isProved)
  }

  @Test func whatALocationNamesIsUsedThere() throws {
    var secrets = RequestCredentials()
    let leaves = secrets.move(from: nil, to: try target("https://g:g@b.test/"))
    #expect(leaves && secrets.authorization == "Basic Zzpn" && secrets.hasLeft)
  }

  @Test(arguments: [
    ("authorization", true, true), ("COOKIE", true, true), ("Proxy-Authorization", true, true),
    ("Host", true, false), ("Set-Cookie", false, true), ("Accept", false, false),
    ("X-Authorization", false, false),
  ])
  func fieldsAreBoundToAnOriginOrSecret(_ name: String, _ isBound: Bool, _ isSecret: Bool) {
    #expect(RequestCredentials.isBound(name) == isBound)
    #expect(HeaderFields.Field.isSecret(name) == isSecret)
    #expect(HeaderFields.Field(name: name, value: "v").shownValue == (isSecret ? "<redacted>" : "v"))
  }

  @Test func credentialsAreBytes() {
    #expect(
      BasicCredentials.authorization(user: "Aladdin".utf8, password: "open sesame".utf8)
        == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(BasicCredentials.authorization(user: [0xFF], password: []) == "Basic /zo=")
  }
}
