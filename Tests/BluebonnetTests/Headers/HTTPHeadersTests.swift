// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct HTTPHeadersTests {
  @Test func namesAreComparedWithoutCase() {
    var headers: HTTPHeaders = ["Content-Type": "a"]
    #expect(headers["content-type"] == "a")
    #expect(headers.value(for: "CONTENT-TYPE") == "a")
    headers.update(name: "content-TYPE", value: "b")
    #expect(headers.count == 1)
    #expect(headers.first == HTTPHeader(name: "content-TYPE", value: "b"))
    headers["CONTENT-type"] = nil
    #expect(headers.isEmpty)
  }

  @Test func onlyASCIILettersFold() {
    // '[' is 0x20 below '{', and '@' below '`': folding by a bit alone would equate them.
    let headers: HTTPHeaders = ["x[": "1", "y@": "2"]
    #expect(headers["X{"] == nil)
    #expect(headers["Y`"] == nil)
    #expect(headers["X["] == "1")
  }

  @Test func orderIsKeptAndReplacingStaysInPlace() {
    var headers: HTTPHeaders = ["b": "1", "a": "2", "c": "3"]
    headers.add(name: "A", value: "9")
    headers.add(.accept("x"))
    #expect(headers.map(\.description) == ["b: 1", "A: 9", "c: 3", "Accept: x"])
    #expect(headers.description == "b: 1\nA: 9\nc: 3\nAccept: x")
    #expect(headers.sorted().map(\.name) == ["A", "Accept", "b", "c"])
    headers.remove(name: "C")
    headers.sort()
    #expect(headers.map(\.name) == ["A", "Accept", "b"])
  }

  @Test func laterDuplicatesWin() {
    #expect(
      HTTPHeaders([.accept("1"), HTTPHeader(name: "ACCEPT", value: "2")]).dictionary == ["ACCEPT": "2"])
    let literal: HTTPHeaders = ["a": "1", "A": "2"]
    #expect(literal.dictionary == ["A": "2"])
    #expect(HTTPHeaders(["a": "1", "b": "2"]).sorted().map(\.value) == ["1", "2"])
  }

  @Test(arguments: [
    (HTTPHeader.accept("v"), "Accept: v"),
    (.acceptCharset("v"), "Accept-Charset: v"),
    (.acceptLanguage("v"), "Accept-Language: v"),
    (.acceptEncoding("v"), "Accept-Encoding: v"),
    (
      .authorization(username: "Aladdin", password: "open sesame"),
      "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
    ),
    (.authorization(bearerToken: "t"), "Authorization: Bearer t"),
    (.authorization("v"), "Authorization: v"),
    (.contentDisposition("v"), "Content-Disposition: v"),
    (.contentEncoding("v"), "Content-Encoding: v"),
    (.contentType("v"), "Content-Type: v"),
    (.userAgent("v"), "User-Agent: v"),
    (.websocketProtocol("v"), "Sec-WebSocket-Protocol: v"),
  ])
  func builders(_ header: HTTPHeader, _ line: String) {
    #expect(header.description == line)
  }

  @Test func defaults() {
    let languages = PreferredLanguages.current.isEmpty ? [] : ["Accept-Language"]
    #expect(HTTPHeaders.default.map(\.name) == ["Accept-Encoding"] + languages + ["User-Agent"])
    #expect(HTTPHeaders.default["Accept-Encoding"] == "br;q=1.0, gzip;q=0.9, deflate;q=0.8")
    let agent = HTTPHeader.defaultUserAgent.value
    #expect(agent.contains(" Bluebonnet/\(BluebonnetInfo.version) Alamofire/5.12.0"))
    #expect(agent.contains("; Linux) "))
    #expect(!agent.hasPrefix("Unknown/"))
  }

  @Test(
    arguments: [
      ([:], []), (["LANG": ""], []), (["LANG": "C.UTF-8"], []), (["LC_ALL": "POSIX", "LANG": "de_DE"], []),
      (["LANG": "C", "LANGUAGE": "de"], []), (["LANG": "de_DE.UTF-8@euro"], ["de-DE"]),
      (["LANG": "eo"], ["eo"]),
      (["LANG": "de_DE", "LC_MESSAGES": "fr_CH.UTF-8"], ["fr-CH"]),
      (["LC_ALL": "", "LANG": "sr_Latn_RS"], ["sr-Latn-RS"]),
      (["LANG": "de_DE", "LANGUAGE": "de_AT:en::de_AT:C"], ["de-AT", "en"]), (["LANG": "en\r\nX: y"], []),
      (["LANG": "../en"], []), (["LANG": "de_DE", "LANGUAGE": "C"], ["de-DE"]),
    ] as [([String: String], [String])])
  func languagesOfTheEnvironment(_ environment: [String: String], _ tags: [String]) {
    #expect(PreferredLanguages.names(in: environment) == tags)
  }

  @Test func qualitiesNeverGoBelowZero() {
    #expect((1...12).map(String.init).qualityEncoded().hasSuffix("10;q=0.1, 11;q=0.0, 12;q=0.0"))
    #expect([String]().qualityEncoded() == "")
  }

  @Test func userAgentForm() {
    #expect(
      UserAgent.compose(
        executable: "app", version: "1.2", bundle: "org.example.app", build: "7", system: "Linux")
        == "app/1.2 (org.example.app; build:7; Linux) Bluebonnet/0.1.0 Alamofire/5.12.0")
    #expect(
      UserAgent.compose(executable: nil, version: nil, bundle: nil, build: nil, system: "Linux")
        == "Unknown/Unknown (Unknown; build:Unknown; Linux) Bluebonnet/0.1.0 Alamofire/5.12.0")
    #expect(UserAgent.executable(fromArgument: "/usr/bin/my tool\n") == "my-tool-")
    #expect(UserAgent.executable(fromArgument: nil) == nil)
    #expect(UserAgent.executable(fromArgument: "/") == nil)
  }
}
