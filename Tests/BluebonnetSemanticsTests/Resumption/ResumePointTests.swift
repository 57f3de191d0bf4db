// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@Suite struct ResumePointTests {
  private static let modified = "Thu, 01 Jan 2026 00:00:00 GMT"

  private func point(
    _ offset: Int64 = 100, of total: Int64? = 1000, _ validator: RangeValidator = .entityTag("\"a\"")
  ) throws -> ResumePoint {
    try #require(ResumePoint(offset: offset, total: total, validator: validator))
  }

  @Test func nothingOrTooMuchIsNoPoint() {
    for (offset, total) in [(0, 10), (-1, 10), (11, 10), (0, nil)] as [(Int64, Int64?)] {
      #expect(ResumePoint(offset: offset, total: total, validator: .entityTag("\"a\"")) == nil)
    }
    #expect(ResumePoint(offset: 10, total: 10, validator: .entityTag("\"a\"")) != nil)
  }

  @Test func whatIsAsked() throws {
    let fields = try point().fields.map { "\($0.name): \($0.value)" }
    #expect(fields == ["Range: bytes=100-", "If-Range: \"a\"", "Accept-Encoding: identity"])
    let dated = try point(1, of: nil, .lastModified(Self.modified)).fields
    #expect(dated[1].value == Self.modified)
  }

  private static let tag: (String, String) = ("ETag", "\"a\"")

  private typealias Fields = [(String, String)]

  private static let answers: [(Fields, ResumePoint.Decision)] = [
    // The rest of the same.
    ([("Content-Range", "bytes 100-999/1000"), tag], .continue(end: 1000, total: 1000)),
    ([("Content-Range", "bytes 100-999/*"), tag], .continue(end: 1000, total: 1000)),
    // A server may send less than was asked for (RFC 9110 §15.3.7).
    ([("Content-Range", "bytes 100-499/1000"), tag], .continue(end: 500, total: 1000)),
    // Another part, another length, another representation, or one that cannot be told to be the same.
    ([("Content-Range", "bytes 99-999/1000"), tag], .askAgain),
    ([("Content-Range", "bytes 101-999/1000"), tag], .askAgain),
    ([("Content-Range", "bytes 0-999/1000"), tag], .askAgain),
    ([("Content-Range", "bytes 100-1000/1001"), tag], .askAgain),
    ([("Content-Range", "bytes 100-1000/*"), tag], .askAgain),
    ([("Content-Range", "bytes 100-999/1000"), ("ETag", "\"b\"")], .askAgain),
    ([("Content-Range", "bytes 100-999/1000"), ("ETag", "W/\"a\"")], .askAgain),
    ([("Content-Range", "bytes 100-999/1000"), tag, tag], .askAgain),
    ([("Content-Range", "bytes 100-999/1000")], .askAgain),
    ([("Content-Range", "bytes 100-999/1000"), tag, ("Content-Encoding", "gzip")], .askAgain),
    // The server's mistakes.
    ([tag], .refuse("its 206 does not say which part it is (Content-Range)")),
    (
      [("Content-Range", "bytes */1000"), tag],
      .refuse("its 206 does not say which part it is (Content-Range)")
    ),
    (
      [("Content-Range", "bytes 100-999/1000"), ("Content-Range", "bytes 100-999/1000"), tag],
      .refuse("its 206 does not say which part it is (Content-Range)")
    ),
    (
      [("Content-Type", "Multipart/ByteRanges; boundary=x"), tag],
      .refuse("it was asked for one range, and sent several parts (multipart/byteranges)")
    ),
  ]

  @Test(arguments: answers.indices)
  func parts(_ index: Int) throws {
    let (fields, decision) = Self.answers[index]
    #expect(try point().decide(status: 206, FieldBlock(fields)) == decision, "\(fields)")
  }

  @Test(arguments: [
    ([] as [String], true), ([modified], true), (["Thu, 01 Jan 2026 00:00:02 GMT"], false),
    ([modified, ""], false),
  ])
  func partsByDate(_ dates: [String], _ goesOn: Bool) throws {
    let fields = [("Content-Range", "bytes 100-999/1000")] + dates.map { ("Last-Modified", $0) }
    let decision = try point(100, of: 1000, .lastModified(Self.modified)).decide(
      status: 206, FieldBlock(fields))
    #expect(decision == (goesOn ? .continue(end: 1000, total: 1000) : .askAgain))
  }

  @Test func aLengthIsLearnt() throws {
    let fields = FieldBlock([("Content-Range", "bytes 100-999/1000"), Self.tag])
    #expect(try point(100, of: nil).decide(status: 206, fields) == .continue(end: 1000, total: 1000))
    let unknown = FieldBlock([("Content-Range", "bytes 100-999/*"), Self.tag])
    #expect(try point(100, of: nil).decide(status: 206, unknown) == .continue(end: 1000, total: nil))
  }

  @Test(
    arguments: [
      (1000, 1000, [("Content-Range", "bytes */1000")], ResumePoint.Decision.complete),
      (1000, nil, [("Content-Range", "bytes */1000")], .complete), (1000, 1000, [], .complete),
      (1000, 1000, [("Content-Range", "bytes */1000"), tag], .complete), (1000, nil, [], .askAgain),
      (999, 1000, [("Content-Range", "bytes */1000")], .askAgain),
      (1000, 1000, [("Content-Range", "bytes */900")], .askAgain), (999, 1000, [], .askAgain),
      (1000, 1000, [("Content-Range", "bytes 0-9/10")], .askAgain),
      (1000, 1000, [("Content-Range", "bytes */1000"), ("ETag", "\"b\"")], .askAgain),
      // As good as complete would be, were the length not another one.
      (900, 1000, [("Content-Range", "bytes */900")], .askAgain),
    ] as [(Int64, Int64?, [(String, String)], ResumePoint.Decision)])
  func whatCannotBeSatisfied(
    _ offset: Int64, _ total: Int64?, _ fields: [(String, String)], _ decision: ResumePoint.Decision
  ) throws {
    #expect(try point(offset, of: total).decide(status: 416, FieldBlock(fields)) == decision, "\(fields)")
  }

  @Test func otherStatuses() throws {
    for status in [200, 203] { #expect(try point().decide(status: status, FieldBlock()) == .startOver) }
    for status in [201, 204, 304, 400, 401, 403, 404, 412, 429, 500, 503] {
      #expect(try point().decide(status: status, FieldBlock()) == .unrelated)
    }
  }

  // MARK: Whether there is such a point

  private func resumable(
    method: String = "GET", _ request: [String: String] = [:], status: Int = 200,
    _ fields: [(String, String)] = [tag], offset: Int64 = 10, total: Int64? = 100
  ) -> ResumePoint? {
    ResumablePart.point(
      method: method, requestFields: HeaderFields(request), status: status, fields: FieldBlock(fields),
      offset: offset, total: total, now: 1_767_300_000)
  }

  @Test func whatCanBeGoneOnWith() {
    #expect(resumable() == ResumePoint(offset: 10, total: 100, validator: .entityTag("\"a\"")))
    #expect(resumable(status: 206) != nil && resumable(total: nil) != nil && resumable(offset: 100) != nil)
    #expect(resumable(["Accept": "x"], [Self.tag, ("Accept-Ranges", "bytes")]) != nil)
  }

  @Test func whatCannot() {
    #expect(resumable(method: "POST") == nil && resumable(method: "HEAD") == nil)
    #expect(resumable(status: 404) == nil && resumable(status: 203) == nil)
    #expect(resumable([:], []) == nil && resumable([:], [("ETag", "W/\"a\"")]) == nil)
    #expect(resumable([:], [Self.tag, ("Content-Encoding", "gzip")]) == nil)
    #expect(resumable([:], [Self.tag, ("Accept-Ranges", "None")]) == nil)
    #expect(resumable(offset: 0) == nil && resumable(offset: 101) == nil)
    for name in [
      "range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ] {
      #expect(resumable([name: "x"]) == nil)
    }
  }
}
