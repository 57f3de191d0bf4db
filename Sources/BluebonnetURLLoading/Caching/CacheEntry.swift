import BluebonnetFoundation

/// A response as it is kept, with what a request must have in common with the one that it answered.
struct CacheEntry: Sendable {
  let response: CachedURLResponse
  /// Order of arrival: the oldest goes first.
  let serial: Int
  /// Bytes in memory: the body and the head.
  let size: Int
  /// Of that request: without the same one, a caller would be shown what another one may see (RFC 9111 §3.5).
  private let authorization: String?
  /// Of that request: may name another host than the address does.
  private let host: String?
  /// The fields of that request that `Vary` names (RFC 9111 §4.1). One that was absent must be absent again.
  private let varying: [Varying]

  private struct Varying: Equatable {
    let name: String
    let value: String?
  }

  /// Real responses vary by a handful of fields. A server that names thousands would have each of them compared.
  private static let varyingFieldLimit = 32

  /// Nil for a response that varies by more than the request says, or by more than is worth comparing.
  init?(_ response: CachedURLResponse, for request: URLRequest, serial: Int) {
    let names = Self.varyingFields(of: response.response)
    guard names.count <= Self.varyingFieldLimit else { return nil }
    // What is no name at all may have been meant for "*".
    guard names.allSatisfy({ $0.utf8.allSatisfy(\.isFieldNameByte) }) else { return nil }
    self.response = response
    self.serial = serial
    size = response.data.count + ((response.response as? HTTPURLResponse)?.fields.byteCount ?? 0)
    authorization = request.value(forHTTPHeaderField: "Authorization")
    host = request.value(forHTTPHeaderField: "Host")
    varying = names.map { Varying(name: $0, value: request.value(forHTTPHeaderField: $0)) }
  }

  /// Whether the response answers this request, too.
  func answers(_ request: URLRequest) -> Bool {
    request.value(forHTTPHeaderField: "Authorization") == authorization
      && request.value(forHTTPHeaderField: "Host") == host
      && varying.allSatisfy { request.value(forHTTPHeaderField: $0.name) == $0.value }
  }

  /// Whether exactly the same requests are answered.
  func hasSameSelection(as other: CacheEntry) -> Bool {
    authorization == other.authorization && host == other.host && varying == other.varying
  }

  private static func varyingFields(of response: URLResponse) -> [String] {
    guard let response = response as? HTTPURLResponse, response.fields.contains(.vary) else { return [] }
    return response.fields.values(.vary).flatMap { $0.split(separator: ",") }.map {
      $0.trimmingOptionalWhitespace.asciiLowercased
    }.filter { !$0.isEmpty }
  }
}

extension UInt8 {
  /// A byte of a field's name (RFC 9110 §5.6.2), but for `*`, which says in `Vary` that no field tells.
  fileprivate var isFieldNameByte: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'+-.^_`|~".utf8.contains(self)
    }
  }
}
