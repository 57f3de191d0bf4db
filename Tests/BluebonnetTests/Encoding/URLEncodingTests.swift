// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Untyped parameters and the query they come to.
struct UntypedRow: CustomTestStringConvertible, Sendable {
  var parameters: Parameters
  var query: String
  var encoding = URLEncoding.queryString

  var testDescription: String { query }

  static let all: [UntypedRow] = [
    UntypedRow(parameters: ["b": "2", "a": "1"], query: "a=1&b=2"),
    UntypedRow(parameters: ["k": ""], query: "k="),
    UntypedRow(parameters: ["k": ["b", "a"]], query: "k%5B%5D=b&k%5B%5D=a"),
    UntypedRow(
      parameters: ["k": ["b", "a"]], query: "k=b&k=a", encoding: URLEncoding(arrayEncoding: .noBrackets)),
    UntypedRow(
      parameters: ["k": ["b", "a"]], query: "k%5B0%5D=b&k%5B1%5D=a",
      encoding: URLEncoding(arrayEncoding: .indexInBrackets)),
    UntypedRow(
      parameters: ["k": ["b", "a"]], query: "k-0=b&k-1=a",
      encoding: URLEncoding(arrayEncoding: .custom { "\($0)-\($1)" })),
    UntypedRow(parameters: ["k": ["y": "2", "x": "1"]], query: "k%5Bx%5D=1&k%5By%5D=2"),
    UntypedRow(parameters: ["k": ["x": [1, 2]]], query: "k%5Bx%5D%5B%5D=1&k%5Bx%5D%5B%5D=2"),
    UntypedRow(parameters: ["k": true, "l": false], query: "k=1&l=0"),
    UntypedRow(
      parameters: ["k": true, "l": false], query: "k=true&l=false",
      encoding: URLEncoding(boolEncoding: .literal)),
    UntypedRow(
      parameters: ["k": 1, "l": 0], query: "k=1&l=0", encoding: URLEncoding(boolEncoding: .literal)),
    UntypedRow(parameters: ["k": Int8(1)], query: "k=1", encoding: URLEncoding(boolEncoding: .literal)),
    UntypedRow(parameters: ["k": 1.0, "l": -2.5], query: "k=1&l=-2.5"),
    UntypedRow(parameters: ["k": Float(3), "l": Float(0.5)], query: "k=3&l=0.5"),
    UntypedRow(parameters: ["k": 1e300], query: "k=1e%2B300"),
    UntypedRow(
      parameters: [
        "k": Int?.some(3) as any Sendable, "l": Bool?.some(true) as any Sendable,
        "m": Double?.some(1) as any Sendable,
      ],
      query: "k=3&l=1&m=1"),
    UntypedRow(parameters: ["k": "a b+c&d=e"], query: "k=a%20b%2Bc%26d%3De"),
    UntypedRow(parameters: ["k": "?/"], query: "k=?/"),
    UntypedRow(
      parameters: ["k": ":#[]@!$&'()*+,;="], query: "k=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
    UntypedRow(parameters: ["k": "é🙂"], query: "k=%C3%A9%F0%9F%99%82"),
  ]
}

@Suite struct URLEncodingTests {
  @Test(arguments: UntypedRow.all) func queries(_ row: UntypedRow) throws {
    let request = try URLRequest(url: "https://example.org/", method: .get)
    let encoded = try row.encoding.encode(request, with: row.parameters)
    #expect(encoded.url?.absoluteString == "https://example.org/?\(row.query)")
  }

  #if Foundation
    /// Each has the digits that it was made with.
    @Test func numbersOfFoundation() throws {
      let request = try URLRequest(url: "https://example.org/", method: .get)
      let parameters: Parameters = [
        "a": NSDecimalNumber(string: "12345678901234567.89"), "b": NSNumber(value: Float(0.1)),
        "c": NSNumber(value: 0.1), "d": NSNumber(value: 3.0), "e": NSNumber(value: UInt64.max),
      ]
      let encoded = try URLEncoding.default.encode(request, with: parameters)
      #expect(encoded.url?.query == "a=12345678901234567.89&b=0.1&c=0.1&d=3&e=18446744073709551615")
    }
  #endif

  @Test func destinations() throws {
    let post = try URLRequest(url: "https://example.org/?a=b", method: .post)
    let body = try URLEncoding.default.encode(post, with: ["k": "v"])
    #expect(body.httpBody == Data("k=v".utf8))
    #expect(body.headers["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8")
    let query = try URLEncoding.queryString.encode(post, with: ["k": "v"])
    #expect(query.url?.absoluteString == "https://example.org/?a=b&k=v")
    #expect(query.httpBody == nil)
    let get = try URLRequest(url: "https://example.org/", method: .get)
    #expect(try URLEncoding.httpBody.encode(get, with: ["k": "v"]).httpBody == Data("k=v".utf8))
    #expect(try URLEncoding.default.encode(get, with: nil) == get)
    #expect(try URLEncoding.default.encode(get, with: [:]) == get)
  }

  @Test func aQueryNeedsAURL() throws {
    var homeless = try URLRequest(url: "https://example.org/", method: .get)
    homeless.url = nil
    let error = #expect(throws: AFError.self) { try URLEncoding.default.encode(homeless, with: ["k": "v"]) }
    guard case .parameterEncodingFailed(.missingURL)? = error else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
  }
}
