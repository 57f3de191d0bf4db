// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The properties that a request must share with the one that a stored response answered.
package struct CacheSelection: Sendable, Hashable {
  /// A field of that request.
  package struct Field: Sendable, Hashable {
    /// In lower case.
    package let name: String
    /// In the form in which values are compared. One that was absent must be absent again.
    package let value: String?

    package init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// The fields that `Vary` names (RFC 9111 §4.1), and before them `Authorization`, without which a caller would be shown the
  /// response to another one (§3.5), and `Host`, perhaps not that of the address.
  package let fields: [Field]
  /// Whether content codings have been undone: the stored body is the one handed over.
  package let isDecoded: Bool

  /// Real responses vary by a handful of fields. A server that names thousands would have each of them compared.
  private static let varyingFieldLimit = 32
  // No fields' names: the place that stood for the server, and its source of trust.
  private static let substitute = ":socket"
  private static let trust = ":trust"

  package init(fields: [Field], isDecoded: Bool) {
    self.fields = fields
    self.isDecoded = isDecoded
  }

  /// Nil for a response that varies by more than the request says, or by more than is worth comparing.
  ///
  /// - Parameters:
  ///   - vary: The values of `Vary`.
  ///   - request: The fields of the request that the response answers.
  ///   - partition: The partition of the response.
  package init?(vary: [String], request: HeaderFields, partition: CachePartition = CachePartition()) {
    let names = vary.flatMap(\.lowercasedElements)
    guard names.count <= Self.varyingFieldLimit, names.allSatisfy(Self.isFieldName) else { return nil }
    var fields = [
      Field(name: "authorization", value: request["Authorization"]),
      Field(name: "host", value: request["Host"]),
    ]
    fields += names.map { Field(name: $0, value: Self.normalized(request[$0], of: $0)) }
    if let place = partition.substitute { fields.append(Field(name: Self.substitute, value: place)) }
    if let trust = partition.trust { fields.append(Field(name: Self.trust, value: trust)) }
    self.init(fields: fields, isDecoded: partition.decodesContent)
  }

  /// Whether the response answers a request with these fields, too.
  package func answers(_ request: HeaderFields, partition: CachePartition = CachePartition()) -> Bool {
    guard partition.decodesContent == isDecoded else { return false }
    var (place, trust): (String?, String?)
    for field in fields {
      if field.name.utf8.first != Byte.colon {
        guard Self.normalized(request[field.name], of: field.name) == field.value else { return false }
      } else if field.name == Self.substitute {
        place = field.value
      } else if field.name == Self.trust {
        trust = field.value
      } else {
        return false
      }
    }
    return place == partition.substitute
      && (trust == partition.trust || trust != nil && trust == partition.evaluator)
  }

  /// Whether all is known that a response with this `Vary` is chosen by.
  func covers(vary: [String]) -> Bool {
    vary.flatMap(\.lowercasedElements).allSatisfy { name in fields.contains { $0.name == name } }
  }

  /// `*` says that no field decides, and text that is no name at all may have been meant for it.
  private static func isFieldName(_ name: String) -> Bool {
    name.utf8.allSatisfy { ByteClass.token.contains($0) && $0 != UInt8(ascii: "*") }
  }

  /// Without the whitespace around elements, which means nothing (RFC 9111 §4.1); quoted text stays as it is.
  private static func normalized(_ value: String?, of name: String) -> String? {
    // Credentials are compared as they are; `Cookie` is no list.
    guard let value, name != "authorization", name != "cookie" else { return value }
    let isCaseless = isCaseless(name)
    guard isCaseless || value.utf8.contains(where: { $0 == Byte.comma || Byte.isWhitespace($0) }) else {
      return value
    }
    var text: [UInt8] = []
    var (isQuoted, isEscaped, blanks) = (false, false, 0)
    for byte in value.utf8 {
      if !isQuoted, Byte.isWhitespace(byte) {
        blanks += 1
        continue
      }
      if byte != Byte.comma, blanks > 0, let last = text.last, last != Byte.comma { text.append(Byte.space) }
      blanks = 0
      text.append(isCaseless ? byte.asciiLowercased : byte)
      // Within quotes a comma separates nothing.
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == Byte.backslash {
        isEscaped = true
      } else if byte == Byte.quote {
        isQuoted.toggle()
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Fields with elements that mean the same in every case of letters (RFC 9110 §12.5.3 and §12.5.4). Their order may mean
  /// something to a server, whatever their weights say.
  private static func isCaseless(_ name: String) -> Bool {
    name == "accept-language" || name == "accept-encoding"
  }
}

/// The settings of a session on which its responses depend.
package struct CachePartition: Sendable, Hashable {
  /// Whether content codings are undone.
  package var decodesContent: Bool
  /// The place that stands for every server, such as a socket; nil for the places that the servers' names lead to.
  package var substitute: String?
  /// The source of trust in servers; nil for the system's anchors, and without TLS.
  package var trust: String?
  /// The evaluator that may accept servers besides; nil for none.
  package var evaluator: String?

  package init(
    decodesContent: Bool = true, substitute: String? = nil, trust: String? = nil, evaluator: String? = nil
  ) {
    self.decodesContent = decodesContent
    self.substitute = substitute
    self.trust = trust
    self.evaluator = evaluator
  }
}
