// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct PlainRequestConvertibleTests {
  private struct Elsewhere: URLConvertible {
    func asURL() throws -> URL { try "http://elsewhere.example/".asURL() }
  }

  /// Three words are what an existential holds without an allocation.
  private static let inlineSize = 3 * MemoryLayout<Int>.size

  @Test func fitsIntoAnExistential() {
    #expect(MemoryLayout<PlainRequestConvertible>.size <= Self.inlineSize)
    #expect(MemoryLayout<URLEncoding>.size <= Self.inlineSize)
  }

  @Test func takesTextAndURLsOnly() throws {
    let url = try #require(URL(string: "http://example.org/a?b"))
    let text = try #require(PlainRequestConvertible("http://example.org/a?b"))
    #expect(try text.asURLRequest().url == url)
    #expect(try text.asURLRequest().httpMethod == "GET")
    #expect(try PlainRequestConvertible(url)?.asURLRequest() == text.asURLRequest())
    #expect(PlainRequestConvertible(Elsewhere()).map { _ in true } == nil)
    let components = try #require(URLComponents(string: "http://example.org/"))
    #expect(PlainRequestConvertible(components).map { _ in true } == nil)
  }

  @Test func refusesTextThatIsNoURL() throws {
    let text = try #require(PlainRequestConvertible(""))
    #expect(throws: AFError.self) { try text.asURLRequest() }
  }

  @Test func isMadeForAPlainGETAlone() throws {
    let session = Session(startRequestsImmediately: false)
    #expect(session.request("http://example.org/").convertible is PlainRequestConvertible)
    #expect(session.request("http://example.org/", headers: [:]).convertible is RequestConvertible)
    #expect(session.request("http://example.org/", method: .post).convertible is RequestConvertible)
    #expect(session.request("http://example.org/", parameters: [:]).convertible is RequestConvertible)
    #expect(session.request(Elsewhere()).convertible is RequestConvertible)
    #expect(
      session.request("http://example.org/", requestModifier: { _ in }).convertible is RequestConvertible)
  }
}
