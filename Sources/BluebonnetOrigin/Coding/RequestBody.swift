// SPDX-License-Identifier: MIT
import BluebonnetContentCoding

/// Undoes the content codings of a request's body.
enum RequestBody {
  /// The body as it was before it was encoded, or nil if it does not fit its `Content-Encoding` or is too long.
  static func decoded(_ request: RecordedRequest) -> [UInt8]? {
    guard !request.body.isEmpty else { return request.body }
    do {
      let names = request.values("Content-Encoding").joined(separator: ",")
      let codings = try ContentCoding.list(fieldValue: names)
      guard !codings.isEmpty else { return request.body }
      let decoder = try ContentDecoder(codings: codings, limit: DecompressionLimit(bytes: Exchange.bodyLimit))
      var body: [UInt8] = []
      try request.body.withUnsafeBytes { bytes in
        try decoder.decode(bytes) { body.append(contentsOf: $0) }
      }
      try decoder.finish()
      return body
    } catch {
      return nil
    }
  }
}
