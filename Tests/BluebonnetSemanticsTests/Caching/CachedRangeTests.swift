// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

/// Parts of representations (RFC 9111 §3.3 and §3.4, RFC 9110 §14).
@Suite struct CachedRangeTests {
  private static let start = Double(FreshnessTests.now)

  private func stored(_ fields: [(String, String)], status: Int = 200) throws -> StoredHead {
    StoredHead(
      status: status, fields: FieldBlock([("Cache-Control", "max-age=60"), ("ETag", "\"a\"")] + fields),
      selection: try #require(CacheSelection(vary: [], request: HeaderFields())), requestTime: Self.start,
      responseTime: Self.start)
  }

  private func part(_ range: String, tag: String = "\"a\"") throws -> StoredHead {
    StoredHead(
      status: 206,
      fields: FieldBlock([
        ("Cache-Control", "max-age=60"), ("ETag", tag), ("Content-Range", "bytes \(range)"),
        ("Content-Length", "x"),
      ]), selection: try #require(CacheSelection(vary: [], request: HeaderFields())),
      requestTime: Self.start, responseTime: Self.start)
  }

  private func served(_ stored: StoredHead, _ request: [String: String]) -> CacheServing? {
    var exchange = CacheExchange(
      method: "GET", fields: HeaderFields(request), mode: .rules, partition: CachePartition())
    guard case .serve(0, let serving) = exchange.begin([stored], now: Self.start + 1) else { return nil }
    return serving
  }

  /// RFC 9111 §3.1: what Connection names is not stored, however much it names.
  @Test(arguments: [1, 8, 9, 60_000]) func fieldsOfTheConnection(_ count: Int) throws {
    let names = ["X-Hop"] + (1..<count).map { "n\($0)" }
    let fields = (0..<400).map { ("X-\($0)", "v") }
    let head = try stored([("Connection", names.joined(separator: ",")), ("x-HOP", "v")] + fields)
    #expect(!head.fields.contains("X-Hop") && !head.fields.contains("Connection"))
    #expect(fields.allSatisfy { head.fields.contains($0.0) })
  }

  @Test(
    arguments: [
      ("bytes=0-4", 0..<5), ("bytes=5-", 5..<100), ("bytes=-10", 90..<100), ("bytes=90-200", 90..<100),
      ("bytes=-200", 0..<100), ("BYTES=99-99", 99..<100), ("bytes=100-", nil), ("bytes=-0", nil),
      ("bytes=5-4", nil), ("bytes=0-1,3-4", nil), ("pages=1-2", nil), ("bytes=a-b", nil), ("bytes=", nil),
      ("bytes=-", nil), ("bytes=0-99999999999999999999", nil), ("0-4", nil), ("", nil),
    ] as [(String, Range<Int64>?)])
  func rangesOfAWhole(_ range: String, _ bytes: Range<Int64>?) throws {
    let serving = served(try stored([("Content-Length", "100")]), ["Range": range])
    #expect(serving?.body == bytes.map { .part($0) })
    guard let serving, let bytes else { return }
    #expect(serving.status == 206)
    #expect(serving.fields.values(.contentLength) == ["\(bytes.count)"])
    #expect(
      serving.fields.values(.contentRange) == ["bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/100"])
  }

  /// RFC 9110 §13.1.5.
  @Test(
    arguments: [
      ("\"a\"", 206), ("\"b\"", 200), ("W/\"a\"", 200), ("Sun, 06 Nov 1994 08:49:37 GMT", 206), ("x", 200),
    ] as [(String, Int)])
  func conditionsOfRanges(_ condition: String, _ status: Int) throws {
    let whole = try stored([("Content-Length", "100"), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])
    #expect(served(whole, ["Range": "bytes=0-1", "If-Range": condition])?.status == status)
  }

  /// RFC 9110 §8.8.2.2: what changed within the second of its making may have changed twice.
  @Test func aDateThatIsTooYoungIsNoCondition() throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let young = try stored([("Content-Length", "100"), ("Last-Modified", date), ("Date", date)])
    let request = ["Range": "bytes=0-1", "If-Range": date, "Cache-Control": "max-stale"]
    #expect(served(young, request)?.status == 200)
  }

  @Test func codedAndUnmeasuredBodiesHaveNoParts() throws {
    let range = ["Range": "bytes=0-1"]
    #expect(served(try stored([("Content-Length", "9"), ("Content-Encoding", "gzip")]), range) == nil)
    #expect(served(try stored([]), range) == nil)
    #expect(served(try stored([("Content-Length", "-9")]), range) == nil)
  }

  @Test func aPartAnswersForItsBytesOnly() throws {
    let part = try part("10-19/100")
    #expect(served(part, ["Range": "bytes=10-19"])?.body == .part(0..<10))
    #expect(served(part, ["Range": "bytes=12-13"])?.body == .part(2..<4))
    for range in ["bytes=9-12", "bytes=15-20", "bytes=10-", "bytes=-5"] {
      #expect(served(part, ["Range": range]) == nil)
    }
    #expect(served(part, [:]) == nil)
    #expect(served(part, ["Range": "bytes=10-19", "If-Range": "\"b\""]) == nil)
  }

  /// A newer part, an earlier one, what they make, and what is taken of the earlier one.
  @Test(
    arguments: [
      ("10-19/100", "20-29/100", "bytes 10-29/100", 0, 10),
      ("20-29/100", "10-19/100", "bytes 10-29/100", 10, 0),
      ("10-19/100", "15-29/100", "bytes 10-29/100", 0, 10),
      ("12-15/100", "10-19/100", "bytes 10-19/100", 2, 4),
      ("10-19/100", "12-15/100", "bytes 10-19/100", 0, 0), ("10-19/100", "21-29/100", nil, 0, 0),
      ("10-19/100", "20-29/101", nil, 0, 0), ("0-49/100", "50-99/100", "", 0, 50),
    ] as [(String, String, String?, Int64, Int64)])
  func partsAreJoined(_ newer: String, _ earlier: String, _ made: String?, _ before: Int64, _ after: Int64)
    throws
  {
    let joined = try part(newer).joined(to: part(earlier))
    #expect((joined == nil) == (made == nil))
    guard let joined, let made else { return }
    #expect(joined.joint.before == before && joined.joint.after == after)
    #expect(joined.response.status == (made.isEmpty ? 200 : 206))
    #expect(joined.response.fields.values(.contentRange) == (made.isEmpty ? [] : [made]))
    #expect(joined.response.fields.values(.contentLength).count == 1)
    if made.isEmpty {
      #expect(served(joined.response, [:])?.body == .all)
      #expect(joined.response.fields.first(.contentLength) == "100")
    }
  }

  /// RFC 9111 §3.4: a weak tag joins nothing.
  @Test(arguments: [("\"a\"", "\"b\""), ("W/\"a\"", "W/\"a\""), ("\"a\"", "W/\"a\""), ("", "")])
  func partsOfOtherRepresentationsAreNotJoined(_ one: String, _ other: String) throws {
    #expect(try part("0-1/9", tag: one).joined(to: part("2-3/9", tag: other)) == nil)
  }

  @Test func aPartOfWhatIsThereBringsItUpToDate() throws {
    var exchange = CacheExchange(
      method: "GET", fields: HeaderFields(["Range": "bytes=0-1"]), mode: .rules, partition: CachePartition())
    let whole = try stored([("Content-Length", "100")])
    _ = exchange.begin([whole], now: Self.start + 100)
    let newer = FieldBlock([
      ("ETag", "\"a\""), ("Content-Range", "bytes 0-1/100"), ("Content-Length", "2"),
      ("Cache-Control", "max-age=500"),
    ])
    let reception = exchange.received(
      status: 206, fields: newer, requestTime: Self.start, now: Self.start + 100, namesTarget: { false })
    guard case .pass(nil, .freshen(0, let fresh)) = reception else {
      Issue.record("\(reception)")
      return
    }
    #expect(fresh.fields.first(.contentLength) == "100" && !fresh.fields.contains(.contentRange))
    #expect(fresh.freshness.lifetime == 500)
  }

  /// RFC 9110 §15.3.7.2: their type is that of the message, and says nothing about what they are parts of.
  @Test func severalPartsChangeNothing() throws {
    var exchange = CacheExchange(
      method: "GET", fields: HeaderFields(["Range": "bytes=0-1,10-11"]), mode: .rules,
      partition: CachePartition())
    let whole = try stored([("Content-Length", "100"), ("Content-Type", "application/pdf")])
    _ = exchange.begin([whole], now: Self.start + 1)
    let newer = FieldBlock([
      ("ETag", "\"a\""), ("Content-Type", "multipart/byteranges; boundary=X"), ("Content-Length", "180"),
    ])
    let reception = exchange.received(
      status: 206, fields: newer, requestTime: Self.start, now: Self.start + 1, namesTarget: { false })
    guard case .pass(nil, .none) = reception else {
      Issue.record("\(reception)")
      return
    }
  }

  /// RFC 9530 §2: the digest of a part's content is none of the whole's.
  @Test func digestsOfPartsStayWithThem() throws {
    var newer = try part("50-99/100")
    newer = newer.replacing(
      status: 206,
      fields: FieldBlock(
        [("Content-Digest", "sha-256=:AA==:"), ("content-MD5", "x"), ("Repr-Digest", "y")] + [
          ("Content-Range", "bytes 50-99/100"), ("ETag", "\"a\""),
        ]))
    let joined = try #require(newer.joined(to: part("0-49/100")))
    #expect(joined.response.fields.values("Content-Digest").isEmpty)
    #expect(joined.response.fields.values("Content-MD5").isEmpty)
    #expect(joined.response.fields.values("Repr-Digest") == ["y"])
  }
}
