// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@Suite struct CacheRulesTests {
  /// Method, the request's fields, status, the response's fields, and whether it is stored.
  @Test(arguments: [
    Case("GET", [:], 200, [], true), Case("GET", [:], 203, [], true),
    // Without a word about freshness, errors are forgotten at once.
    Case("GET", [:], 204, [], false), Case("GET", [:], 404, [], false), Case("GET", [:], 500, [], false),
    Case("GET", [:], 404, ["Cache-Control: max-age=60"], true),
    Case("GET", [:], 404, ["ETag: \"a\""], true), Case("GET", [:], 403, ["ETag: \"a\""], false),
    Case("GET", [:], 403, ["ETag: \"a\"", "Cache-Control: public"], true),
    Case("GET", [:], 500, ["Cache-Control: max-age=60"], true),
    Case("GET", [:], 599, ["Cache-Control: max-age=60"], true),
    Case("GET", [:], 302, [], false), Case("GET", [:], 302, ["Expires: Thu, 18 Aug 2050 02:01:18 GMT"], true),
    Case("GET", [:], 301, ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], true),
    // §5.2.2.5 and §5.2.1.5.
    Case("GET", [:], 200, ["Cache-Control: max-age=9, No-Store"], false),
    Case("GET", [:], 200, ["Cache-Control: private", "Cache-Control: no-store"], false),
    Case("GET", [:], 200, ["Cache-Control: a b no-store c"], false),
    Case("GET", [:], 200, ["Cache-Control: a=\"no-store\""], true),
    Case("GET", [:], 200, ["Cache-Control: a=\"b, no-store"], false),
    Case("GET", ["Cache-Control": "no-store"], 200, [], false),
    Case("GET", [:], 200, ["Cache-Control: no-cache"], true),
    Case("GET", [:], 200, ["Cache-Control: private"], true),
    // §5.2.2.3.
    Case("GET", [:], 200, ["Cache-Control: no-store, must-understand"], true),
    Case("GET", [:], 599, ["Cache-Control: max-age=9, no-store, must-understand"], false),
    Case("GET", [:], 299, ["Cache-Control: max-age=9, must-understand"], false),
    // What only this request could be told.
    Case("GET", [:], 304, ["Cache-Control: max-age=60"], false),
    Case("GET", [:], 401, ["Cache-Control: max-age=60"], false),
    Case("GET", [:], 407, ["Cache-Control: max-age=60"], false),
    Case("GET", [:], 412, ["Cache-Control: max-age=60"], false),
    Case("GET", ["Range": "bytes=0-1"], 416, ["Cache-Control: max-age=60"], false),
    Case("GET", ["Range": "bytes=0-1"], 404, ["Cache-Control: max-age=60"], false),
    Case("GET", ["Range": "bytes=0-1"], 200, [], true),
    Case("GET", ["Range": "bytes=0-1"], 206, ["Content-Range: bytes 0-1/5"], true),
    Case("GET", ["Range": "bytes=0-1"], 206, ["Content-Range: bytes 0-1/*"], false),
    Case("GET", ["Range": "bytes=0-1"], 206, [], false),
    Case(
      "GET", ["Range": "bytes=0-1"], 206, ["Content-Range: bytes 0-1/5", "Content-Encoding: gzip"], false),
    Case(
      "GET", ["Range": "bytes=0-1"], 206,
      ["Content-Range: bytes 0-1/5", "Content-Type: multipart/byteranges; boundary=a"], false),
    // RFC 9110 §9.3.3.
    Case("POST", [:], 200, ["Cache-Control: max-age=60"], false),
    Case("POST", [:], 200, ["Cache-Control: max-age=60", "Content-Location: /here"], true),
    Case("POST", [:], 200, ["Cache-Control: max-age=60", "Content-Location: /there"], false),
    Case("POST", [:], 200, ["Content-Location: /here"], false),
    Case("HEAD", [:], 200, ["Cache-Control: max-age=60"], false),
    Case("PUT", [:], 200, ["Cache-Control: max-age=60", "Content-Location: /here"], false),
  ])
  func whatIsStored(_ row: Case) {
    let fields = FieldBlock(row.response)
    var exchange = CacheExchange(
      method: row.method, fields: HeaderFields(row.request), mode: .rules, partition: CachePartition())
    _ = exchange.begin([], now: 1_800_000_000)
    let reception = exchange.received(
      status: row.status, fields: fields, requestTime: 1_800_000_000, now: 1_800_000_000,
      namesTarget: { fields.first(.contentLocation) == "/here" })
    guard case .pass(let stored, .none) = reception else {
      Issue.record("\(reception)")
      return
    }
    #expect((stored != nil) == row.isStored)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let method: String
    let request: [String: String]
    let status: Int
    let response: [(String, String)]
    let isStored: Bool

    init(
      _ method: String, _ request: [String: String], _ status: Int, _ response: [String], _ isStored: Bool
    ) {
      (self.method, self.request, self.status, self.isStored) = (method, request, status, isStored)
      self.response = response.map { line in
        let halves = line.split(separator: ":", maxSplits: 1)
        return (String(halves[0]), String(halves[1].dropFirst()))
      }
    }

    var testDescription: String { "\(method) \(request) \(status) \(response)" }
  }

  @Test(arguments: [
    ("PUT", 200, true), ("POST", 302, true), ("DELETE", 204, true), ("X", 200, true), ("PUT", 400, false),
    ("PUT", 500, false), ("GET", 200, false), ("HEAD", 200, false), ("OPTIONS", 200, false),
    ("TRACE", 200, false),
  ])
  func whatInvalidates(_ method: String, _ status: Int, _ does: Bool) {
    #expect(CacheRules.invalidates(method: method, status: status) == does)
  }
}
