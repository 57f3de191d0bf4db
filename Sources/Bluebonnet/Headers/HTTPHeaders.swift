// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetURLLoading

/// Header fields in order, each name once, names compared without regard to case (RFC 9110 §5.1).
///
/// Setting a name that is there replaces its value in place, and takes the new spelling of the name.
public struct HTTPHeaders: Equatable, Hashable, Sendable {
  private var fields: [HTTPHeader] = []

  /// Makes a collection without fields.
  public init() {}

  /// These fields; of two with one name, the later value stays at the earlier place.
  public init(_ headers: [HTTPHeader]) {
    fields.reserveCapacity(headers.count)
    for header in headers {
      update(header)
    }
  }

  /// The dictionary's entries, in the dictionary's order, and so in any.
  public init(_ dictionary: [String: String]) {
    fields.reserveCapacity(dictionary.count)
    for (name, value) in dictionary {
      update(HTTPHeader(name: name, value: value))
    }
  }

  /// These fields, of which the caller knows that no two have one name.
  init(uniqueFields fields: [HTTPHeader]) {
    self.fields = fields
  }

  /// Sets the value of a field, or appends the field if there is none of this name.
  public mutating func add(name: String, value: String) {
    update(HTTPHeader(name: name, value: value))
  }

  /// Puts a field in the place of the one with its name, or appends it.
  public mutating func add(_ header: HTTPHeader) {
    update(header)
  }

  /// Sets the value of a field, or appends the field if there is none of this name.
  public mutating func update(name: String, value: String) {
    update(HTTPHeader(name: name, value: value))
  }

  /// Puts a field in the place of the one with its name, or appends it.
  public mutating func update(_ header: HTTPHeader) {
    if let index = index(of: header.name) {
      fields[index] = header
    } else {
      fields.append(header)
    }
  }

  /// Removes the field with this name, if there is one.
  public mutating func remove(name: String) {
    if let index = index(of: name) {
      fields.remove(at: index)
    }
  }

  /// Sorts the fields by name, without regard to case.
  public mutating func sort() {
    fields.sort { $0.name.lowercased() < $1.name.lowercased() }
  }

  /// These fields sorted by name, without regard to case.
  public func sorted() -> HTTPHeaders {
    var sorted = self
    sorted.sort()
    return sorted
  }

  /// The value of the field with this name, in whichever case; `nil` if there is none.
  public func value(for name: String) -> String? {
    index(of: name).map { fields[$0].value }
  }

  /// The value of a name; setting `nil` removes the field.
  public subscript(_ name: String) -> String? {
    get { value(for: name) }
    set {
      if let newValue {
        update(name: name, value: newValue)
      } else {
        remove(name: name)
      }
    }
  }

  /// Names and values as a dictionary: without order, and with names of different case apart.
  public var dictionary: [String: String] {
    var dictionary = [String: String](minimumCapacity: fields.count)
    for field in fields {
      dictionary[field.name] = field.value
    }
    return dictionary
  }

  private func index(of name: String) -> Int? {
    fields.firstIndex { $0.name.equalsIgnoringASCIICase(name) }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Takes the literal's entries in its order; a later one replaces an earlier one of the same name.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields.reserveCapacity(elements.count)
    for (name, value) in elements {
      update(name: name, value: value)
    }
  }
}

extension HTTPHeaders: ExpressibleByArrayLiteral {
  /// Takes the literal's fields in its order; a later one replaces an earlier one of the same name.
  public init(arrayLiteral elements: HTTPHeader...) {
    self.init(elements)
  }
}

extension HTTPHeaders: Sequence {
  /// Goes through the fields in order.
  public func makeIterator() -> IndexingIterator<[HTTPHeader]> {
    fields.makeIterator()
  }
}

extension HTTPHeaders: Collection {
  /// The index of the first field: 0.
  public var startIndex: Int { fields.startIndex }

  /// The index behind the last field: the number of fields.
  public var endIndex: Int { fields.endIndex }

  /// The field at an index less than `endIndex`.
  public subscript(position: Int) -> HTTPHeader { fields[position] }

  /// The index behind the given one.
  public func index(after index: Int) -> Int { fields.index(after: index) }
}

extension HTTPHeaders: CustomStringConvertible {
  /// The fields in order, each as `Name: value` on a line of its own.
  public var description: String {
    fields.map(\.description).joined(separator: "\n")
  }
}

extension HTTPHeaders {
  /// The fields that each request of a default session has: `Accept-Encoding`, `User-Agent`, and `Accept-Language` where the
  /// environment names a language.
  public static let `default`: HTTPHeaders =
    PreferredLanguages.current.isEmpty
    ? [.defaultAcceptEncoding, .defaultUserAgent]
    : [.defaultAcceptEncoding, .defaultAcceptLanguage, .defaultUserAgent]
}
