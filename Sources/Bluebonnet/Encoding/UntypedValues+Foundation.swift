// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation

  // A cast cannot tell them apart: bridging makes `NSNumber(1) as? Bool` true and turns a Bool into an NSNumber.
  // The dynamic type can.

  /// The value as a boolean, if that is what it was made from.
  func untypedBool(_ value: Any) -> Bool? {
    if type(of: value) == Bool.self { return value as? Bool }
    guard let number = value as? NSNumber, type(of: value) is NSNumber.Type else { return nil }
    // 'c' is the type of Objective-C's BOOL.
    return number.objCType.pointee == CChar(UInt8(ascii: "c")) ? number.boolValue : nil
  }

  /// The text of a number.
  func untypedNumber(_ value: Any) -> String? {
    if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
      // It says that it is a double, and has more digits than that.
      if number is NSDecimalNumber { return number.stringValue }
      switch UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "d"): return number.doubleValue.shortDescription
      case UInt8(ascii: "f"): return text(of: number.floatValue)
      default: return number.stringValue
      }
    }
    if type(of: value) == Double.self { return (value as? Double)?.shortDescription }
    if type(of: value) == Float.self, let float = value as? Float { return text(of: float) }
    return nil
  }

  private func text(of float: Float) -> String {
    float == float.rounded() ? Double(float).shortDescription : "\(float)"
  }
#endif
