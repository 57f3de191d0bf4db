// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetFoundation

extension URLRequest {
  /// All header fields as a dictionary; the order of the fields is not visible here, but is kept on the wire.
  public var allHTTPHeaderFields: [String: String]? {
    get { storage.fields.dictionary }
    set { writable.fields = HeaderFields(newValue ?? [:]) }
  }

  /// The value of a field, whatever the case of its name.
  public func value(forHTTPHeaderField field: String) -> String? {
    headerFields[field]
  }

  /// Replaces the value of a field, or removes the field with `nil`.
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
    changeFields { $0[field] = value }
  }

  /// Appends to the value of a field, with a comma if there was one.
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
    changeFields { $0.add(name: field, value: value) }
  }

  // Taken out while they are changed: where no access to a member lasts, the compiler proves exclusivity by itself, and
  // readers need not ask the runtime each time.
  private mutating func changeFields(_ change: (inout HeaderFields) -> Void) {
    let storage = writable
    var fields = storage.fields
    storage.fields = HeaderFields()
    change(&fields)
    storage.fields = fields
  }

  /// The fields in the order in which they are sent.
  package var headerFields: HeaderFields {
    get { storage.fields }
    set { writable.fields = newValue }
  }
}
