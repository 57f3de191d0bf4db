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
    var scanner = ChallengeScanner(bytes: Array(text.utf8))
    while let name = scanner.nextName() {
      if scanner.skipEquals() {
        let value = scanner.value()
        guard let last = challenges.indices.last else { continue }
        // A name that comes twice, which it must not (§11.2), has its last value, as with curl.
        challenges[last].parameters[name] = value
      } else {
        challenges.append(Challenge(scheme: name, token: scanner.token68(), encoding: encoding))
      }
    }
  }

  /// The first challenge of a scheme, named in lower case.
  package func first(_ scheme: String) -> Challenge? { challenges.first { $0.scheme == scheme } }

  /// The schemes, each once.
  package var schemes: [String] {
    var schemes: [String] = []
    for challenge in challenges where !schemes.contains(challenge.scheme) { schemes.append(challenge.scheme) }
    return schemes
  }

  /// The realm of the first Basic challenge (RFC 7617 §2), empty where the server names none against the rule; nil if
  /// there is no such challenge.
  package var basicRealm: String? { first("basic").map { $0.parameters["realm"] ?? "" } }
}

private struct ChallengeScanner {
  let bytes: [UInt8]
  var position = 0

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// The next token after spaces and commas, in lower case.
  mutating func nextName() -> String? {
    while let byte = current {
      if ByteClass.token.contains(byte) {
        return String(decoding: run(ByteClass.token.contains), as: UTF8.self).asciiLowercased
      }
      // A stray quoted string must not have its inside taken for challenges.
      if byte == Byte.quote { _ = quoted() } else { position += 1 }
    }
    return nil
  }

  /// Steps over an equals sign with optional space around it.
  mutating func skipEquals() -> Bool {
    let start = position
    skipSpace()
    guard current == Byte.equals else {
      position = start
      return false
    }
    position += 1
    skipSpace()
    return true
  }

  mutating func value() -> String {
    if current == Byte.quote { return quoted() }
    return String(decoding: run { $0 != Byte.comma && !Byte.isWhitespace($0) }, as: UTF8.self)
  }

  /// The text after a scheme up to the next comma, if it is one word and no parameter.
  mutating func token68() -> String? {
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

  private mutating func quoted() -> String {
    var result: [UInt8] = []
    position += 1
    while let byte = current {
      position += 1
      if byte == Byte.quote { break }
      if byte == Byte.backslash, let next = current {
        position += 1
        result.append(next)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func skipSpace() { _ = run(Byte.isWhitespace) }

  private mutating func run(_ isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let byte = current, isIncluded(byte) { position += 1 }
    return bytes[start..<position]
  }
}
