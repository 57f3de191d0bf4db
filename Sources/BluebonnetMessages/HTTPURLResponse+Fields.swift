// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics

extension HTTPURLResponse {
  /// All fields by name; values of equal names are joined by a comma (RFC 9110 §5.3).
  public var allHeaderFields: [AnyHashable: Any] {
    var result: [AnyHashable: Any] = [:]
    result.reserveCapacity(fields.count)
    for field in joinedFields.fields { result[field.name] = field.value }
    return result
  }

  /// The value of a field, whatever the case of its name; values of equal names are joined by a comma.
  public func value(forHTTPHeaderField field: String) -> String? {
    guard let first = fields.index(of: field) else { return nil }
    guard fields.index(of: field, from: first + 1) != nil else { return fields.value(at: first) }
    return fields.values(field).joined(separator: ", ")
  }

  /// The head as it came over the wire, from the status line to the empty line; nil for a response that did not come over one.
  /// An addition of this package.
  public var receivedHead: Data? { fields.head.map { Data($0) } }

  /// The fields in order of arrival, each name once.
  package var joinedFields: HeaderFields {
    var result = HeaderFields()
    for index in fields.indices {
      result.add(name: fields.name(at: index), value: fields.value(at: index), separator: ", ")
    }
    return result
  }
}
