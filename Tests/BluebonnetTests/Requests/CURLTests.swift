// SPDX-License-Identifier: MIT
import BluebonnetTLS
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct CURLTests {
  private func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Session": "yes"]
    return configuration
  }

  @Test func theWholeCommand() async {
    let scripted = ScriptedSession(configuration: configuration())
    let request = scripted.session.request(
      "http://host.test/path?a=b", method: .post, headers: ["X-Own": "say \"hi\"", "Cookie": "secret"]
    ) { $0.httpBody = Data(#"{"a":"b\"c"}"#.utf8) }
    .authenticate(username: "user", password: "pass")
    _ = await request.serializingData().response
    let parts = request.cURLDescription().components(separatedBy: " \\\n\t")
    #expect(parts.first == "$ curl -v")
    #expect(parts.dropFirst().first == "-X POST")
    #expect(parts.contains("-u user:pass"))
    #expect(parts.contains("-H \"X-Session: yes\""))
    #expect(parts.contains(#"-H "X-Own: say \"hi\"""#))
    #expect(!parts.contains { $0.contains("secret") })
    #expect(parts.contains(#"-d "{\"a\":\"b\\\"c\"}""#))
    #expect(parts.last == "\"http://host.test/path?a=b\"")
  }

  @Test func ownFieldsCoverTheSessions() async {
    let scripted = ScriptedSession(configuration: configuration())
    let request = scripted.session.request("http://host.test/", headers: ["x-session": "no"])
    _ = await request.serializingData().response
    let text = request.cURLDescription()
    #expect(text.contains("-H \"x-session: no\""))
    #expect(!text.contains("yes"))
  }

  @Test func withoutARequestThereIsNoCommand() async {
    let scripted = ScriptedSession()
    #expect(
      scripted.session.request("http://host.test/").cURLDescription()
        == "$ curl command could not be created")
    let text = await withCheckedContinuation { continuation in
      scripted.session.request("").cURLDescription(on: .global()) { continuation.resume(returning: $0) }
        .resume()
    }
    #expect(text == "$ curl command could not be created")
    // The handler that starts the request has failed it by now.
    let late = await withCheckedContinuation { continuation in
      scripted.session.request("").response { _ in }
        .cURLDescription(on: .global()) { continuation.resume(returning: $0) }
    }
    #expect(late == "$ curl command could not be created")
  }

  @Test func aHandlerIsCalledOnceThereIsARequest() async {
    let scripted = ScriptedSession()
    let text = await withCheckedContinuation { continuation in
      scripted.session.request("http://host.test/")
        .cURLDescription { _ in Issue.record("Only the last handler counts.") }
        .cURLDescription { continuation.resume(returning: $0) }
        .resume()
    }
    #expect(text.hasSuffix("\"http://host.test/\""))
  }

  @Test func cookiesOfTheSession() async throws {
    let configuration = configuration()
    let storage = try #require(configuration.httpCookieStorage)
    for (name, path) in [("a", "/"), ("b", "/path"), ("c", "/elsewhere")] {
      storage.setCookie(
        try #require(
          HTTPCookie(properties: [.domain: "host.test", .path: path, .name: name, .value: "\(name)1"])))
    }
    for (sendsCookies, expected) in [(true, Set(["a=a1", "b=b1"])), (false, [])] {
      configuration.httpShouldSetCookies = sendsCookies
      let scripted = ScriptedSession(configuration: configuration)
      let request = scripted.session.request("http://host.test/path")
      _ = await request.serializingData().response
      let part = request.cURLDescription().components(separatedBy: " \\\n\t").first { $0.hasPrefix("-b ") }
      let cookies = part?.dropFirst(4).dropLast().split(separator: ";").map(String.init) ?? []
      #expect(Set(cookies) == expected)
    }
  }

  @Test func storedCredentialsGoBeforeTheRequests() async throws {
    let configuration = configuration()
    let storage = try #require(configuration.urlCredentialStorage)
    storage.set(
      URLCredential(user: "stored", password: "one", persistence: .forSession),
      for: URLProtectionSpace(
        host: "host.test", port: 8080, protocol: "http", realm: "host.test",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic))
    let scripted = ScriptedSession(configuration: configuration)
    let request = scripted.session.request("http://host.test:8080/").authenticate(
      username: "own", password: "two")
    _ = await request.serializingData().response
    let text = request.cURLDescription()
    #expect(text.contains("-u stored:one"))
    #expect(!text.contains("own"))
  }

  @Test func aCredentialWithoutANameIsLeftOut() async throws {
    let authority = try CertificateAuthority()
    let identity = try authority.issue(names: [.dns("host.test")])
    let trust = SecTrust(
      try ServerTrust(host: "host.test", chain: identity.chain, anchors: .certificates([])))
    let scripted = ScriptedSession()
    let request = scripted.session.request("http://host.test/").authenticate(
      with: URLCredential(trust: trust))
    _ = await request.serializingData().response
    #expect(request.cURLDescription().hasPrefix("$ curl -v \\\n\t-X GET"))
    #expect(!request.cURLDescription().contains("-u "))
  }

  /// A combining mark makes another character of the quote before it, but not for a shell.
  @Test func quotesAreEscapedWhateverFollows() async {
    let scripted = ScriptedSession()
    let request = scripted.session.request("http://host.test/", method: .post) {
      $0.httpBody = Data("\"\u{301}".utf8)
    }
    _ = await request.serializingData().response
    let bytes = Array(request.cURLDescription().utf8)
    let expected = Array("-d \"\\\"\u{301}\"".utf8)
    #expect(bytes.indices.contains { bytes[$0...].starts(with: expected) })
  }
}
