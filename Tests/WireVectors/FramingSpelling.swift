// SPDX-License-Identifier: MIT

/// A framing field in a spelling that has fooled somebody, or beside one that has.
package struct FramingSpelling: Sendable, Hashable {
  package enum Kind: Sendable { case length, chunked, neither, doubtful }

  /// The field line without its end; a few have a line end inside.
  package let line: String
  /// What a careful recipient takes it for.
  package let kind: Kind

  /// Every spelling of the grammar.
  package static let all: [FramingSpelling] = plain + lengths + codings + lines

  private static let plain: [FramingSpelling] = [
    ("Content-Length: 5", .length), ("content-length:5", .length), ("CONTENT-LENGTH: \t5 ", .length),
    ("Content-Length: 05", .length), ("Transfer-Encoding: chunked", .chunked),
    ("transfer-encoding:CHUNKED", .chunked), ("Transfer-Encoding: , chunked", .chunked),
    ("Transfer-Encoding:\tchunked\t", .chunked), ("X: y", .neither), ("Content-Length-X: 9", .neither),
    ("X-Content-Length: 9", .neither), ("Transfer-Encodings: chunked", .neither), ("TE: chunked", .neither),
  ].map { FramingSpelling(line: $0, kind: $1) }

  private static let lengths: [FramingSpelling] = [
    "5, 5", "5,5", "5, 6", "5,", ",5", "+5", "-5", "5.0", "0x5", "5 5", "5;", "\"5\"", "", "a", "5\u{b}",
    "5\r", "5\n", "5\u{0}", "99999999999999999999", "\u{665}", "1e1", "_5",
  ].map { FramingSpelling(line: "Content-Length: " + $0, kind: .doubtful) }

  private static let codings: [FramingSpelling] = [
    "identity", "chunked, identity", "identity, chunked", "gzip, chunked", "chunked, chunked", "chunked;q=1",
    "xchunked", "chunkedx", "\"chunked\"", "chunk ed", "chunked gzip", "", ",", "\u{b}chunked",
    "chunked\u{0}", "chunked\r", "chunked\n", "\rchunked", "c\u{212a}unked", "chunked\u{a0}", "cow",
  ].map { FramingSpelling(line: "Transfer-Encoding: " + $0, kind: .doubtful) }

  private static let lines: [FramingSpelling] = [
    "Content-Length : 5", "Content-Length\t: 5", " Content-Length: 5", "X: y\r\n Content-Length: 5",
    "Content-Length", "Content_Length: 5", "Content-Length\u{0}: 5", "Transfer-Encoding : chunked",
    " Transfer-Encoding: chunked", "X: y\r\n\tTransfer-Encoding: chunked", "Transfer-Encoding\u{b}: chunked",
    "X: y\rTransfer-Encoding: chunked", "X: y\nContent-Length: 5",
  ].map { FramingSpelling(line: $0, kind: $0 == "Content_Length: 5" ? .neither : .doubtful) }
}
