// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation
import BluebonnetTestSupport

/// Responses to keep, and directories to keep them in.
package enum StoredSamples {
  package static func key(_ name: String) -> StoredResponse.Key {
    .init(method: "GET", target: "http://example.org/\(name)")
  }

  package static func response(
    _ name: String = "a", variant: [StoredResponse.RequestField] = [], at time: Double = 1_700_000_000,
    fields: [StoredResponse.Field] = [.init(name: "ETag", value: "\"1\"")], length: Int64? = nil
  ) throws -> StoredResponse {
    StoredResponse(
      key: key(name), url: try url("http://example.org/\(name)"), status: 200, reason: "OK", fields: fields,
      variant: variant, requestTime: Date(timeIntervalSince1970: time),
      responseTime: Date(timeIntervalSince1970: time + 0.25), bodyLength: length)
  }

  /// With everything that a head can say.
  package static func everything() throws -> StoredResponse {
    StoredResponse(
      key: .init(method: "GET", target: "https://[2001:db8::1]:8443/ü?q=%20"),
      url: try url("https://[2001:db8::1]:8443/%C3%BC?q=%20"), status: 206, reason: "Partial Cöntent",
      minorVersion: 0,
      fields: [
        .init(name: "Set-Cookie", value: "a=b"), .init(name: "X-Empty", value: ""),
        .init(name: "set-cookie", value: "c=d; Path=/"), .init(name: "X-Text", value: "grün \u{1F600}"),
      ],
      variant: [.init(name: "accept", value: nil), .init(name: "cookie", value: "")],
      requestTime: Date(timeIntervalSince1970: -1.5), responseTime: Date(timeIntervalSince1970: 1e9 + 1 / 3),
      bodyLength: 5, isDecoded: false, part: .init(offset: 1 << 40, completeLength: 1 << 41))
  }

  package static func url(_ text: String) throws -> URL {
    struct NoURL: Error {}
    guard let url = URL(string: text) else { throw NoURL() }
    return url
  }

  /// Bytes that are not the same anywhere.
  package static func body(_ count: Int, seed: UInt64 = 1) -> Data {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    return Data(bytes.prefix(count))
  }

  /// All that can be compared of a head.
  package static func facts(_ response: StoredResponse) -> [String] {
    [
      "\(response.id)", "\(response.key)", response.url.absoluteString, "\(response.status)", response.reason,
      "\(response.minorVersion)", "\(response.fields)", "\(response.variant)",
      "\(response.requestTime.timeIntervalSince1970)", "\(response.responseTime.timeIntervalSince1970)",
      "\(String(describing: response.bodyLength))", "\(response.isDecoded)",
      "\(String(describing: response.part))",
    ]
  }
}
