import BluebonnetFoundation

/// A response as it is kept, with what a request must have in common with the one that it answered.
struct CacheEntry: Sendable {
  let response: CachedURLResponse
  /// Order of arrival: the oldest goes first.
  let serial: Int
  /// Fields of that request: those that `Vary` names (RFC 9111 §4.1), `Authorization`, without which one caller would be
  /// shown what another one may see (§3.5), and `Host`, which may name another one than the address.
  private let selecting: HeaderFields

  /// Real responses vary by a handful of fields. A server that names thousands would have each of them compared.
  private static let varyingFieldLimit = 32

  /// Nil for a response that varies by more than the request says, or by more than is worth comparing.
  init?(_ response: CachedURLResponse, for request: URLRequest, serial: Int) {
    self.response = response
    self.serial = serial
    var selecting = HeaderFields()
    let names = Self.varyingFields(of: response.response)
    guard names.count <= Self.varyingFieldLimit else { return nil }
    for name in names {
      if name == "*" { return nil }
      // One that was absent must be absent again.
      selecting[name] = request.value(forHTTPHeaderField: name) ?? Self.absent
    }
    for name in ["Authorization", "Host"] {
      selecting[name] = request.value(forHTTPHeaderField: name) ?? Self.absent
    }
    self.selecting = selecting
  }

  /// Whether the response answers this request, too.
  func answers(_ request: URLRequest) -> Bool {
    selecting.fields.allSatisfy { (request.value(forHTTPHeaderField: $0.name) ?? Self.absent) == $0.value }
  }

  /// Whether exactly the same requests are answered.
  func hasSameSelection(as other: CacheEntry) -> Bool { selecting == other.selecting }

  /// Not a field's value: those have no line breaks.
  private static let absent = "\n"

  private static func varyingFields(of response: URLResponse) -> [String] {
    guard let response = response as? HTTPURLResponse, response.fields.contains(.vary) else { return [] }
    return response.fields.values(.vary).flatMap { $0.split(separator: ",") }.map {
      String($0.trimmingOptionalWhitespace)
    }.filter { !$0.isEmpty }
  }
}
