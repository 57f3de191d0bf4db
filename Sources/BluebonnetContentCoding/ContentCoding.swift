// SPDX-License-Identifier: MIT

/// A content coding that can be undone here (RFC 9110 §8.4.1).
package enum ContentCoding: Sendable, Hashable, CaseIterable {
  case gzip
  /// The zlib format by the book, raw deflate by the habit of some servers; both are understood.
  case deflate
  case brotli

  /// By its registered name, in any case of letters; `x-gzip` is the same as `gzip`.
  package init?(name: some StringProtocol) {
    switch name.lowercased() {
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    case "br": self = .brotli
    default: return nil
    }
  }

  package var name: String {
    switch self {
    case .gzip: "gzip"
    case .deflate: "deflate"
    case .brotli: "br"
    }
  }

  /// The codings of a Content-Encoding value, in the order in which they were applied. `identity` does not belong
  /// there and says nothing (RFC 9110 §8.4.1 reserves it for Accept-Encoding).
  package static func list(fieldValue: some StringProtocol) throws(ContentCodingError) -> [ContentCoding] {
    var codings: [ContentCoding] = []
    for element in fieldValue.utf8.split(separator: UInt8(ascii: ",")) {
      let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
      let trimmed = element.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
      let name = String(decoding: Array(trimmed), as: UTF8.self)
      guard !name.isEmpty, name.lowercased() != "identity" else { continue }
      guard let coding = ContentCoding(name: name) else { throw .unsupported(name) }
      codings.append(coding)
    }
    return codings
  }

  /// The value of `Accept-Encoding` (RFC 9110 §12.5.3) with all of them, best first.
  package static let offer = "br, gzip, deflate"
  /// The same as the default headers of the matched API weigh it.
  package static let weighedOffer = "br;q=1.0, gzip;q=0.9, deflate;q=0.8"
}
