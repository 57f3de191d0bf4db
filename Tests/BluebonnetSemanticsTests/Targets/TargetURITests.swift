// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

/// What a URL's text means; hosts are made canonical by whoever knows the machine.
@Suite struct TargetURITests {
  private struct NoHost: Error, CustomStringConvertible { let description = "it is a test" }

  private func target(_ url: String) throws -> TargetURI {
    try TargetURI(url) { host throws in
      if host.contains("!") { throw NoHost() }
      return host.filter { $0 != "[" && $0 != "]" }.lowercased()
    }
  }

  @Test(arguments: [
    ("http://a.test", false, 80, "a.test", "/"), ("HTTPS://A.test:443/x?y#z", true, 443, "a.test", "/x?y"),
    ("https://a.test:80?q", true, 80, "a.test:80", "/?q"), ("http://a.test:/", false, 80, "a.test", "/"),
    ("http://u:p@a.test//b", false, 80, "a.test", "//b"),
    ("http://[::1]:81/", false, 81, "[::1]:81", "/"), ("http://[fe80::1%lo]/", false, 80, "[fe80::1]", "/"),
    ("http://a@b@a.test/", false, 80, "a.test", "/"),
    ("http://a.test/ü b", false, 80, "a.test", "/%C3%BC%20b"),
  ])
  func aURLIsTakenApart(_ url: String, _ secure: Bool, _ port: UInt16, _ authority: String, _ path: String)
    throws
  {
    let target = try target(url)
    #expect(target.origin == WebOrigin(isSecure: secure, host: target.origin.host, port: port))
    #expect(target.authority == authority)
    #expect(target.path == path)
  }

  @Test(arguments: [
    ("ftp://a.test/", "the scheme \"ftp\" is not supported"),
    ("a.test/", "the URL has no scheme; write http:// or https:// before it"),
    ("127.0.0.1:80", "the URL has no scheme; write http:// or https:// before it"),
    ("a/b:80", "the URL has no scheme; write http:// or https:// before it"),
    (
      "localhost:80",
      "\"localhost\" is read as the URL's scheme, and is none that is supported; "
        + "write http:// or https:// before the host"
    ),
    (
      "a.test:80",
      "\"a.test\" is read as the URL's scheme, and is none that is supported; "
        + "write http:// or https:// before the host"
    ),
    ("", "the URL has no scheme; write http:// or https:// before it"),
  ])
  func otherSchemesAreNotSupported(_ url: String, _ reason: String) {
    let error = #expect(throws: InvalidTarget.self) { try target(url) }
    #expect(error?.kind == .unsupportedScheme)
    #expect(error?.description == reason)
  }

  @Test(arguments: [
    ("http:", "the URL has no host"), ("http:/a", "the URL has no host"),
    ("http:///a", "the URL has no host"),
    ("https://:443/", "the URL has no host"), ("http://a:x/", "its port is not a number"),
    ("http://a:0/", "there is no port 0"), ("http://a:000/", "there is no port 0"),
    ("http://a:65536/", "port 65536 is out of range: the largest is 65535"),
    (
      "http://a:99999999999999999999999/",
      "port 99999999999999999999… is out of range: the largest is 65535"
    ),
    ("http://[::1/", "the bracket before its address is not closed"),
    ("http://[::1]x/", "something other than a port follows the address in brackets"),
    ("http://a!/", "its host cannot be one: it is a test"),
    // RFC 7617 §2.
    ("http://u%00@a/", "its user information has a control character"),
    ("http://u:p%0d%0A@a/", "its user information has a control character"),
    ("http://u%7F:p@a/", "its user information has a control character"),
  ])
  func whatIsNoHostOrPortIsMalformed(_ url: String, _ reason: String) {
    let error = #expect(throws: InvalidTarget.self) { try target(url) }
    #expect(error?.kind == .malformed)
    #expect(error?.description == reason)
  }

  @Test(arguments: [
    ("u:p", "u", "p", "Basic dTpw"), ("u%40:p%3A", "u@", "p:", "Basic dUA6cDo="),
    ("u", "u", "", "Basic dTo="),
    (":p", "", "p", "Basic OnA="), ("u%FF:p", "u\u{FFFD}", "p", "Basic df86cA=="),
    ("u%zz:p", "u%zz", "p", "Basic dSV6ejpw"),
  ])
  func userInformationBecomesCredentials(
    _ text: String, _ user: String, _ password: String, _ authorization: String
  ) throws {
    let information = try #require(try target("http://\(text)@a.test/").userInformation)
    #expect(information.user == user)
    #expect(information.password == password)
    #expect(information.authorization == authorization)
  }

  @Test(arguments: ["http://@a.test/", "http://:@a.test/", "http://a.test/@b"])
  func emptyUserInformationIsNone(_ url: String) throws {
    #expect(try target(url).userInformation == nil)
  }

  @Test func theRootsDotIsTold() throws {
    #expect(try target("http://a.test./").isRooted)
    #expect(try !target("http://a.test/.").isRooted)
    #expect(try target("https://a.test/b").absoluteForm == "http://a.test/b")
  }

  @Test func whatMethodsPromise() {
    let safe: Set = ["GET", "HEAD", "OPTIONS", "TRACE"]
    let idempotent = safe.union(["PUT", "DELETE", "QUERY"])
    for method in idempotent.union(["POST", "PATCH", "CONNECT", "get", "", "X"]) {
      #expect(Method.isSafe(method) == safe.contains(method))
      #expect(Method.isIdempotent(method) == idempotent.contains(method))
    }
  }
}
