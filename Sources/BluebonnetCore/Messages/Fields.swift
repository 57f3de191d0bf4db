// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

extension HTTPClient {
  /// Field lines (RFC 9110 §5), in order and with duplicates; names are found in any case of letters.
  ///
  /// ```swift
  /// var fields: HTTPClient.Fields = ["Accept": "application/json"]
  /// fields["X-Trace"] = "17"
  /// ```
  public struct Fields: Sendable, Hashable {
    /// One line.
    public struct Field: Sendable, Hashable {
      /// The name, as it is written.
      public var name: String
      /// The value, without blanks around it.
      public var value: String

      /// A line; whether it may be sent is looked at when it is.
      public init(name: String, value: String) {
        self.name = name
        self.value = value
      }
    }

    private var lines: [Field] = []

    /// No fields.
    public init() {}

    /// The value of the first field of this name; nil if there is none. Setting replaces all of them by one, or removes them.
    public subscript(name: String) -> String? {
      get { lines.first { $0.name.equalsIgnoringASCIICase(name) }?.value }
      set {
        let place = lines.firstIndex { $0.name.equalsIgnoringASCIICase(name) } ?? lines.count
        lines.removeAll { $0.name.equalsIgnoringASCIICase(name) }
        if let newValue { lines.insert(Field(name: name, value: newValue), at: place) }
      }
    }

    /// The values of all fields of this name, in order.
    public func values(_ name: String) -> [String] {
      lines.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }

    /// Adds a line behind the others, whether or not there is one of this name.
    public mutating func append(name: String, value: String) {
      lines.append(Field(name: name, value: value))
    }

    mutating func removeAll(where isUnwanted: (String) -> Bool) {
      lines.removeAll { isUnwanted($0.name) }
    }
  }
}

extension HTTPClient.Fields: RandomAccessCollection {
  /// The position of the first line: 0.
  public var startIndex: Int { 0 }
  /// The number of lines.
  public var endIndex: Int { lines.count }
  /// The line at a position.
  public subscript(position: Int) -> Field { lines[position] }
}

extension HTTPClient.Fields: ExpressibleByDictionaryLiteral {
  /// Lines in the literal's order, duplicates included.
  public init(dictionaryLiteral elements: (String, String)...) {
    lines = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

extension HTTPClient.Fields {
  init(_ block: FieldBlock) {
    self.init()
    lines.reserveCapacity(block.count)
    for (name, value) in block { append(name: name, value: value) }
  }
}
