// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import BluebonnetFoundation
import BluebonnetTransport

/// The coding of a request's body on its way out.
package struct BodyCoding: Sendable {
  package let coding: ContentCoding
  /// The encoder's own if nil.
  package let level: Int?
  /// A body that is known to be shorter is sent as it is.
  package let minimumLength: Int

  package init(_ coding: ContentCoding, level: Int?, minimumLength: Int) {
    self.coding = coding
    self.level = level
    self.minimumLength = minimumLength
  }

  func encoder() throws(ContentCodingError) -> ContentEncoder { try ContentEncoder(coding, level: level) }

  /// Bytes in memory, all at once.
  package func encode(_ data: Data) throws -> Data {
    let encoder = try encoder()
    var encoded = Data()
    try data.withUnsafeBytes { try encoder.encode($0) { encoded.append(contentsOf: $0) } }
    try encoder.finish { encoded.append(contentsOf: $0) }
    return encoded
  }

  /// The body in this coding: one in memory at once, so that its length is known, and everything else while it is sent.
  ///
  /// - Returns: nil for a body that is sent as it is.
  func applied(to source: any BodySource) throws(URLError) -> (any BodySource)? {
    let declared = (source as? ProducedBodySource)?.body.length.map { Int(clamping: $0) }
    if let length = declared ?? source.length, length < max(minimumLength, 1) { return nil }
    switch source {
    case let source as DataBodySource:
      do {
        return DataBodySource(try encode(source.data))
      } catch {
        throw .loading(
          .cannotDecodeContentData, url: nil, phase: .preparing,
          reason: "its body cannot be encoded: \(error)",
          fault: .local, cause: error)
      }
    case let source as BlockingBodySource: return ProducedBodySource(source.streamed, coding: self)
    case let source as ProducedBodySource: return ProducedBodySource(source.body, coding: self)
    default: return nil
    }
  }
}

// Kept among the properties, so that a request without takes nothing for it; they go with it from redirect to redirect.
extension URLRequest {
  private static var bodyCodingKey: String { "bluebonnet.bodyCoding" }

  /// The coding of the body when it is sent; nil for none.
  package var bodyCoding: BodyCoding? {
    get {
      storage.properties.isEmpty ? nil : storage.properties[Self.bodyCodingKey] as? BodyCoding
    }
    set { writable.properties[Self.bodyCodingKey] = newValue }
  }
}
