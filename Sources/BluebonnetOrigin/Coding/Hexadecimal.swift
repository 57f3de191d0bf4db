/// Base-16 digits.
enum Hexadecimal {
  static let lowercaseDigits = Array("0123456789abcdef".utf8)

  /// Lower-case digits of `bytes`, as digest authentication wants them (RFC 7616 §3.4.1).
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes {
      digits.append(lowercaseDigits[Int(byte >> 4)])
      digits.append(lowercaseDigits[Int(byte & 15)])
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
