// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

/// Writes `Encodable` values as `application/x-www-form-urlencoded` text.
///
/// The root must be something with keys. What nested keys, arrays, booleans, dates, data, absent values, key
/// names and spaces look like is a strategy each, since no document says it.
public final class URLEncodedFormEncoder: Sendable {
  /// Why a value cannot be a form.
  public enum Error: Swift.Error {
    /// The root has no keys; the text describes what it is.
    case invalidRootObject(String)
  }

  /// Whether the pairs are sorted, at every level. A dictionary has no order of its own, so that only a sorted
  /// form is the same twice.
  public let alphabetizeKeyValuePairs: Bool
  /// The form of an array's keys.
  public let arrayEncoding: ArrayEncoding
  /// The form of booleans; ``BoolEncoding/numeric`` by default.
  public let boolEncoding: BoolEncoding
  /// The form of `Data`; ``DataEncoding/base64`` by default.
  public let dataEncoding: DataEncoding
  /// The form of dates; ``DateEncoding/deferredToDate`` by default.
  public let dateEncoding: DateEncoding
  /// The form of keys; ``KeyEncoding/useDefaultKeys`` by default.
  public let keyEncoding: KeyEncoding
  /// The form of a key within another key's value.
  public let keyPathEncoding: KeyPathEncoding
  /// The form of absent values; ``NilEncoding/dropKey`` by default.
  public let nilEncoding: NilEncoding
  /// The form of spaces; ``SpaceEncoding/percentEscaped`` by default.
  public let spaceEncoding: SpaceEncoding

  /// The characters that stay as they are; all others are percent-encoded.
  public var allowedCharacters: CharacterSet {
    get { allowed.withLock { $0.set ?? .afURLQueryAllowed } }
    set { allowed.withLock { $0 = AllowedCharacters(set: newValue, bytes: AllowedBytes(newValue)) } }
  }

  private let allowed: Locked<AllowedCharacters>

  /// An encoder with these strategies and characters.
  public convenience init(
    alphabetizeKeyValuePairs: Bool = true, arrayEncoding: ArrayEncoding = .brackets,
    boolEncoding: BoolEncoding = .numeric, dataEncoding: DataEncoding = .base64,
    dateEncoding: DateEncoding = .deferredToDate, keyEncoding: KeyEncoding = .useDefaultKeys,
    keyPathEncoding: KeyPathEncoding = .brackets, nilEncoding: NilEncoding = .dropKey,
    spaceEncoding: SpaceEncoding = .percentEscaped, allowedCharacters: CharacterSet
  ) {
    self.init(
      alphabetizeKeyValuePairs: alphabetizeKeyValuePairs, arrayEncoding: arrayEncoding,
      boolEncoding: boolEncoding, dataEncoding: dataEncoding, dateEncoding: dateEncoding,
      keyEncoding: keyEncoding, keyPathEncoding: keyPathEncoding, nilEncoding: nilEncoding,
      spaceEncoding: spaceEncoding)
    self.allowedCharacters = allowedCharacters
  }

  // Without a set of its own an encoder needs none of CharacterSet's slow questions: the table is a constant.
  /// An encoder with these strategies, that leaves `CharacterSet.afURLQueryAllowed` as it is.
  public init(
    alphabetizeKeyValuePairs: Bool = true, arrayEncoding: ArrayEncoding = .brackets,
    boolEncoding: BoolEncoding = .numeric, dataEncoding: DataEncoding = .base64,
    dateEncoding: DateEncoding = .deferredToDate, keyEncoding: KeyEncoding = .useDefaultKeys,
    keyPathEncoding: KeyPathEncoding = .brackets, nilEncoding: NilEncoding = .dropKey,
    spaceEncoding: SpaceEncoding = .percentEscaped
  ) {
    self.alphabetizeKeyValuePairs = alphabetizeKeyValuePairs
    self.arrayEncoding = arrayEncoding
    self.boolEncoding = boolEncoding
    self.dataEncoding = dataEncoding
    self.dateEncoding = dateEncoding
    self.keyEncoding = keyEncoding
    self.keyPathEncoding = keyPathEncoding
    self.nilEncoding = nilEncoding
    self.spaceEncoding = spaceEncoding
    allowed = Locked(AllowedCharacters(set: nil, bytes: .urlQuery))
  }

  /// Writes a value as a form.
  ///
  /// - Parameter value: Something with keys at its root, such as a structure or a dictionary.
  /// - Returns: The form, percent-encoded.
  /// - Throws: ``Error/invalidRootObject(_:)`` for a root without keys, or what the value's `encode(to:)` or a strategy
  ///   threw.
  public func encode(_ value: any Encodable) throws -> String {
    let root = FormNode()
    try FormWriter(node: root, strategies: self, codingPath: []).write(value)
    switch root.kind {
    case .object, .empty:
      return FormSerializer(strategies: self, allowed: allowed.withLock { $0.bytes }).serialize(root)
    case .text, .array:
      throw Error.invalidRootObject("\(root)")
    }
  }

  /// Writes a value as a form, in UTF-8.
  ///
  /// - Parameter value: Something with keys at its root, such as a structure or a dictionary.
  /// - Returns: The form, percent-encoded.
  /// - Throws: ``Error/invalidRootObject(_:)`` for a root without keys, or what the value's `encode(to:)` or a strategy
  ///   threw.
  public func encode(_ value: any Encodable) throws -> Data {
    let form: String = try encode(value)
    return Data(form.utf8)
  }

  private struct AllowedCharacters {
    var set: CharacterSet?
    var bytes: AllowedBytes
  }
}

extension URLEncodedFormEncoder.Error: LocalizedError {
  /// One sentence that describes the root.
  public var errorDescription: String? {
    switch self {
    case .invalidRootObject(let object): "A form needs keys at its root, and this has none: \(object)"
    }
  }
}
