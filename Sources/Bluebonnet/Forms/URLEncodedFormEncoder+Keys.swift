// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLEncodedFormEncoder {
  /// The form of a key. The key is the whole one, with the parts that arrays and nesting have added.
  public enum KeyEncoding: Sendable {
    /// The keys stay as the type names them; the default.
    case useDefaultKeys
    /// `oneTwoThree` becomes `one_two_three`.
    case convertToSnakeCase
    /// `oneTwoThree` becomes `one-two-three`.
    case convertToKebabCase
    /// `oneTwoThree` becomes `OneTwoThree`.
    case capitalized
    /// `oneTwoThree` becomes `ONETWOTHREE`.
    case uppercased
    /// `oneTwoThree` becomes `onetwothree`.
    case lowercased
    /// The text that this closure returns for a key.
    case custom(@Sendable (String) -> String)

    func encode(_ key: String) -> String {
      switch self {
      case .useDefaultKeys: key
      case .convertToSnakeCase: key.camelCaseWords.joined(separator: "_")
      case .convertToKebabCase: key.camelCaseWords.joined(separator: "-")
      case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
      case .uppercased: key.uppercased()
      case .lowercased: key.lowercased()
      case .custom(let encoding): encoding(key)
      }
    }
  }
}

extension String {
  /// The words of a camel-case name in lower case, cut where `JSONEncoder` cuts: before a capital, and in a run
  /// of capitals before the one that begins the next word (`myURLProperty` is `my`, `url`, `property`).
  var camelCaseWords: [String] {
    let letters = Array(self)
    guard letters.count > 1 else { return isEmpty ? [] : [lowercased()] }
    var starts = [0]
    var index = 1
    while let capital = letters[index...].firstIndex(where: \.isUppercase) {
      starts.append(capital)
      guard let small = letters[capital...].firstIndex(where: \.isLowercase) else { break }
      if small > capital + 1 {
        starts.append(small - 1)
      }
      index = small + 1
    }
    let ends = starts.dropFirst() + [letters.count]
    return zip(starts, ends).map { String(letters[$0..<$1]).lowercased() }
  }
}
