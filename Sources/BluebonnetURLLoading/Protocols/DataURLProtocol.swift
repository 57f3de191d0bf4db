// SPDX-License-Identifier: MIT
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetFoundation

// Unchecked: no members of its own.
/// Loads what a `data:` URL holds.
final class DataURLProtocol: URLProtocol, @unchecked Sendable {
  override func startLoading() {
    if let refusal = request.localRefusal {
      client?.urlProtocol(self, didFailWithError: refusal)
      return
    }
    guard let url = request.url, let content = DataURL(url.absoluteString) else {
      client?.urlProtocol(
        self, didFailWithError: URLError.refusal(.badURL, request.url ?? URL(filePath: "/"), "no data: URL"))
      return
    }
    let response = URLResponse(
      url: url, mimeType: content.mediaType, expectedContentLength: content.data.count,
      textEncodingName: content.charset)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    if request.httpMethod != "HEAD" { client?.urlProtocol(self, didLoad: content.data) }
    client?.urlProtocolDidFinishLoading(self)
  }
}

/// A `data:` URL taken apart (RFC 2397, and Fetch's "data: URL processor" where practice differs).
struct DataURL: Equatable {
  /// In lower case, without parameters.
  let mediaType: String
  let charset: String?
  let data: Data

  init?(_ text: String) {
    guard text.prefix(5).asciiLowercased == "data:" else { return nil }
    // The fragment is no part of the resource.
    let rest = text.dropFirst(5).prefix { $0 != "#" }
    guard let comma = rest.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    var type = rest[..<comma]
    let bytes = PercentCoding.decoded(rest[rest.index(after: comma)...].utf8)
    let parameter = type.lastIndex(of: ";").map { type[$0...] }
    if let parameter, parameter.dropFirst().trimmingOptionalWhitespace.asciiLowercased == "base64" {
      type = type[..<parameter.startIndex]
      guard let decoded = Self.base64(bytes) else { return nil }
      data = decoded
    } else {
      data = Data(bytes)
    }
    // Nothing stands for text/plain in ASCII, and parameters alone are those of text/plain.
    let stated = type.hasPrefix(";") ? "text/plain" + type : String(type)
    let media = MediaType(stated.removingPercentEncoding ?? stated)
    mediaType = media?.essence ?? "text/plain"
    charset = media == nil ? "us-ascii" : media?.charset
  }

  /// Infra's "forgiving-base64 decode": white space and missing padding are no fault.
  private static func base64(_ bytes: [UInt8]) -> Data? {
    var digits = bytes.filter { ![0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    if digits.count % 4 == 0 {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1, !digits.contains(UInt8(ascii: "=")) else { return nil }
    while digits.count % 4 != 0 { digits.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(digits))
  }
}
