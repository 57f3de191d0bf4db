// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The challenges of `WWW-Authenticate` or `Proxy-Authenticate` (RFC 9110 §11.6.1), in order.
package struct ChallengeList: Sendable, Equatable {
  /// One scheme and what it says.
  package struct Challenge: Sendable, Equatable {
    /// In lower case.
    package var scheme: String
    /// The data that schemes such as Negotiate carry instead of parameters.
    package var token: String?
    /// Names in lower case; the first of a name counts.
    package var parameters: [String: String] = [:]
    /// The encoding that the field was read by, also for the parts of it that are sent back.
    package var encoding = FieldValue.Encoding.utf8
  }

  package private(set) var challenges: [Challenge] = []

  /// Commas separate challenges as well as the parameters of one (§11.6.1 warns of it): a word followed by an
  /// equals sign is a parameter, everything else is a scheme. Unreadable parts are passed over.
  package init(_ field: String) { self.init(FieldValue(field)) }

  /// The same, of a field with bytes that need not be text.
  package init(_ field: FieldValue) {
    let (text, encoding) = (field.text, field.encoding)
    var reader = ByteReader(Array(text.utf8))
    while let name = reader.nextName() {
      if reader.skipEquals() {
        let value = reader.value()
        guard let last = challenges.indices.last else { continue }
        // A name that comes twice, which it must not (§11.2), has its last value, as with curl.
        challenges[last].parameters[name] = value
      } else {
        challenges.append(Challenge(scheme: name, token: reader.token68(), encoding: encoding))
      }
    }
  }

  /// The first challenge of a scheme, named in lower case.
  package func first(_ scheme: String) -> Challenge? { challenges.first { $0.scheme == scheme } }

  /// The schemes, each once.
  package var schemes: [String] {
    // A server may name thousands.
    var seen: Set<String> = []
    return challenges.map(\.scheme).filter { seen.insert($0).inserted }
  }
}

extension ByteReader {
  /// The next token after spaces and commas, in lower case.
  fileprivate mutating func nextName() -> String? {
    while let byte = current {
      if ByteClass.token.contains(byte) { return token().asciiLowercased }
      // A stray quoted string must not have its inside taken for challenges.
      if byte == Byte.quote { _ = quotedString() } else { position += 1 }
    }
    return nil
  }

  /// Steps over an equals sign with optional space around it.
  fileprivate mutating func skipEquals() -> Bool {
    let start = position
    skipSpace()
    guard take(Byte.equals) else {
      position = start
      return false
    }
    skipSpace()
    return true
  }

  fileprivate mutating func value() -> String {
    if current == Byte.quote { return quotedString().text }
    return String(decoding: run { $0 != Byte.comma && !Byte.isWhitespace($0) }, as: UTF8.self)
  }

  /// The text after a scheme up to the next comma, if it is one word and no parameter.
  fileprivate mutating func token68() -> String? {
    let start = position
    skipSpace()
    let word = run { ByteClass.token.contains($0) || $0 == Byte.slash } + run { $0 == Byte.equals }
    skipSpace()
    if start < position, !word.isEmpty, current == nil || current == Byte.comma {
      return String(decoding: word, as: UTF8.self)
    }
    position = start
    return nil
  }
}
