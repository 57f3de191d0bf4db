// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import Testing

@testable import Bluebonnet

/// Runs what the article *Cookies* shows, but for what needs files in places that tests must not touch.
@Suite struct CookieExamplesTests {
  private let origin: Origin

  init() throws { origin = try Origin.start() }

  @Test func settings() async throws {
    origin.script("/login", .response(fields: [("Set-Cookie", "sid=1; Path=/")]))
    let storage = await CookieExamples.settings(try #require(URL(string: origin.baseURL + "/login")))
    #expect(storage.cookies?.map(\.name) == ["consent", "sid"])
    // The consent is for another host.
    #expect(origin.requests.last?.value("Cookie") == nil)
  }

  @Test func keeping() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bluebonnet-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    origin.script("/set", .response(fields: [("Set-Cookie", "sid=1; Path=/")]))
    let url = try #require(URL(string: origin.baseURL + "/set"))
    #expect(try await CookieExamples.keeping(file, url) == 200)
    _ = try await CookieExamples.keeping(file, try #require(URL(string: origin.baseURL + "/get")))
    #expect(origin.requests.last?.value("Cookie") == "sid=1")
  }

  @Test func whatIsMissingIsSaid() {
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent("never")
    #expect(throws: POSIXError(.ENOENT)) { try CookieExamples.moving(into: HTTPCookieStorage(), copy) }
    #expect(throws: POSIXError(.ENOENT)) { try CookieExamples.suffixes() }
  }
}
