// SPDX-License-Identifier: MIT
extension [UInt8] {
  /// 0 to 250 again and again: a period that divides no buffer's size, so that no piece is taken for another. Doubled as a whole, for
  /// going through millions of bytes takes unoptimised tests seconds.
  public init(cycling count: Int) {
    var bytes: [UInt8] = Array(0..<251)
    while bytes.count < count { bytes += bytes }
    bytes.removeLast(bytes.count - count)
    self = bytes
  }
}
