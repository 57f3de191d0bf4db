import BluebonnetHTTP1

/// What a request must have in common with the one that a kept response answered.
package struct CacheSelection: Sendable, Equatable {
  /// Of that request: without the same one, a caller would be shown what another one may see (RFC 9111 §3.5).
  private let authorization: String?
  /// Of that request: may name another host than the address does.
  private let host: String?
  /// The fields of that request that `Vary` names (RFC 9111 §4.1). One that was absent must be absent again.
  private let varying: [Varying]

  private struct Varying: Sendable, Equatable {
    let name: String
    let value: String?
  }

  /// Real responses vary by a handful of fields. A server that names thousands would have each of them compared.
  private static let varyingFieldLimit = 32

  /// Nil for a response that varies by more than the request says, or by more than is worth comparing.
  ///
  /// - Parameters:
  ///   - vary: The values of `Vary`.
  ///   - request: The fields of the request that the response answers.
  package init?(vary: [String], request: HeaderFields) {
    let names = vary.flatMap { $0.split(separator: ",") }.map {
      $0.trimmingOptionalWhitespace.asciiLowercased
    }
    .filter { !$0.isEmpty }
    guard names.count <= Self.varyingFieldLimit, names.allSatisfy(Self.isFieldName) else { return nil }
    authorization = request["Authorization"]
    host = request["Host"]
    varying = names.map { Varying(name: $0, value: request[$0]) }
  }

  /// Whether the response answers a request with these fields, too.
  package func answers(_ request: HeaderFields) -> Bool {
    request["Authorization"] == authorization && request["Host"] == host
      && varying.allSatisfy { request[$0.name] == $0.value }
  }

  /// `*` says that no field tells, and what is no name at all may have been meant for it.
  private static func isFieldName(_ name: String) -> Bool {
    name.utf8.allSatisfy { ByteClass.token.contains($0) && $0 != UInt8(ascii: "*") }
  }
}
