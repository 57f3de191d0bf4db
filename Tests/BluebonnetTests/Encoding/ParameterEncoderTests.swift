// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct ParameterEncoderTests {
  private let parameters = ["key": "value", "a": "b c"]
  private let formType = "application/x-www-form-urlencoded; charset=utf-8"

  private func request(_ method: HTTPMethod, _ url: String = "https://example.org/") throws -> URLRequest {
    try URLRequest(url: url, method: method)
  }

  @Test(arguments: [
    (HTTPMethod.get, true), (.head, true), (.delete, true), (.post, false), (.put, false), (.patch, false),
    (.options, false), (.trace, false), (.connect, false), (.query, false),
  ])
  func theMethodDecides(_ method: HTTPMethod, _ isInURL: Bool) throws {
    let encoded = try URLEncodedFormParameterEncoder.default.encode(parameters, into: request(method))
    if isInURL {
      #expect(encoded.url?.absoluteString == "https://example.org/?a=b%20c&key=value")
      #expect(encoded.httpBody == nil)
      #expect(encoded.headers["Content-Type"] == nil)
    } else {
      #expect(encoded.url?.absoluteString == "https://example.org/")
      #expect(encoded.httpBody == Data("a=b%20c&key=value".utf8))
      #expect(encoded.headers["Content-Type"] == formType)
    }
  }

  @Test func destinationsOverruleTheMethod() throws {
    let query = URLEncodedFormParameterEncoder(destination: .queryString)
    #expect(try query.encode(parameters, into: request(.post)).url?.query?.contains("key=value") == true)
    let body = URLEncodedFormParameterEncoder(destination: .httpBody)
    #expect(try body.encode(parameters, into: request(.get)).httpBody != nil)
    #expect(try body.encode(parameters, into: request(.get)).url?.query == nil)
  }

  @Test(arguments: [
    ("https://example.org/", "https://example.org/?k=v"),
    ("https://example.org/?", "https://example.org/?k=v"),
    ("https://example.org/?x=%20y", "https://example.org/?x=%20y&k=v"),
    ("https://example.org/p?x=y#f", "https://example.org/p?x=y&k=v#f"),
  ])
  func anExistingQueryStays(_ url: String, _ expected: String) throws {
    let encoded = try URLEncodedFormParameterEncoder.default.encode(["k": "v"], into: request(.get, url))
    #expect(encoded.url?.absoluteString == expected)
  }

  @Test func nothingToEncodeChangesNothing() throws {
    let plain = try request(.post)
    #expect(try URLEncodedFormParameterEncoder.default.encode([String: String]?.none, into: plain) == plain)
    #expect(try JSONParameterEncoder.default.encode([String: String]?.none, into: plain) == plain)
    let get = try request(.get, "https://example.org/?a=b")
    #expect(try URLEncodedFormParameterEncoder.default.encode([String: String](), into: get).url == get.url)
  }

  @Test func aStatedContentTypeStays() throws {
    var stated = try request(.post)
    stated.headers["content-type"] = "text/plain"
    #expect(
      try URLEncodedFormParameterEncoder.default.encode(parameters, into: stated).headers["Content-Type"]
        == "text/plain")
    #expect(
      try JSONParameterEncoder.default.encode(parameters, into: stated).headers["Content-Type"]
        == "text/plain")
  }

  @Test func json() throws {
    let encoded = try JSONParameterEncoder.sortedKeys.encode(["b": 1, "a": 2], into: request(.post))
    #expect(encoded.httpBody == Data(#"{"a":2,"b":1}"#.utf8))
    #expect(encoded.headers["Content-Type"] == "application/json")
    let pretty = try JSONParameterEncoder.prettyPrinted.encode(["a": 2], into: request(.post))
    #expect(pretty.httpBody?.contains(UInt8(ascii: "\n")) == true)
  }

  @Test func shorthands() throws {
    func encode(with encoder: any ParameterEncoder) throws -> URLRequest {
      try encoder.encode(["k": "v"], into: request(.post))
    }
    #expect(try encode(with: .json).httpBody == Data(#"{"k":"v"}"#.utf8))
    #expect(try encode(with: .json(encoder: JSONEncoder())).httpBody == Data(#"{"k":"v"}"#.utf8))
    #expect(try encode(with: .urlEncodedForm).httpBody == Data("k=v".utf8))
    #expect(try encode(with: .urlEncodedForm(destination: .queryString)).url?.query == "k=v")
  }

  @Test func failuresAreWrapped() throws {
    struct Refusing: Encodable {
      func encode(to encoder: any Encoder) throws { throw Mishap() }
    }
    let form = #expect(throws: AFError.self) {
      try URLEncodedFormParameterEncoder.default.encode(Refusing(), into: request(.post))
    }
    #expect(form?.isParameterEncoderError == true)
    #expect(form?.underlyingError as? Mishap == Mishap())
    let json = #expect(throws: AFError.self) {
      try JSONParameterEncoder.default.encode(Refusing(), into: request(.post))
    }
    #expect(json?.isParameterEncodingError == true)
    #expect(json?.underlyingError as? Mishap == Mishap())
  }

  @Test func aRequestWithoutURLIsRefused() throws {
    var homeless = try request(.post)
    homeless.url = nil
    let error = #expect(throws: AFError.self) {
      try URLEncodedFormParameterEncoder.default.encode(parameters, into: homeless)
    }
    guard case .parameterEncoderFailed(.missingRequiredComponent(.url))? = error else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
  }
}
