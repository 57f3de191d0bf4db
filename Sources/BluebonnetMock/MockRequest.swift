// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation
import BluebonnetOrigin

/// A request as a ``MockTransport`` received it: after adapters, encoders, cookies and redirects, as it would have gone out.
public struct MockRequest: Sendable {
  /// The method.
  public let method: HTTPMethod
  /// The whole address. An address without a path has the path `/`.
  public let url: URL
  /// The fields as they were sent. Of fields with one name, the last one counts.
  public let headers: HTTPHeaders
  /// The body as it was sent, without chunked framing; a content coding is not undone.
  public let body: Data

  init?(_ record: RecordedRequest, base: String) {
    guard let url = URL(string: base + record.target) else { return nil }
    method = HTTPMethod(rawValue: record.method)
    self.url = url
    var headers = HTTPHeaders()
    for field in record.fields { headers.update(name: field.name, value: field.value) }
    self.headers = headers
    body = Data(record.body)
  }

  /// The body as a value of a type.
  ///
  /// - Parameters:
  ///   - type: The type; may be left to the compiler.
  ///   - decoder: What reads it; a plain `JSONDecoder` by default.
  /// - Throws: What the decoder throws.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, with decoder: any DataDecoder = JSONDecoder()
  ) throws -> Value {
    try decoder.decode(type, from: body)
  }
}
