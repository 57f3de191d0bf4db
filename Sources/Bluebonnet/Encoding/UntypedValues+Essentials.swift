// SPDX-License-Identifier: MIT
#if !Foundation
  import BluebonnetFoundation

  /// The value as a boolean, if it is one.
  func untypedBool(_ value: Any) -> Bool? {
    value as? Bool
  }

  /// The text of a number that prints better than it describes itself.
  func untypedNumber(_ value: Any) -> String? {
    switch value {
    case let double as Double: double.shortDescription
    case let float as Float where float == float.rounded(): Double(float).shortDescription
    default: nil
    }
  }
#endif
