// SPDX-License-Identifier: MIT
#if Foundation
  import Foundation
#else
  import FoundationEssentials
#endif

extension UUID {
  /// A random one (RFC 9562 §5.4), by `getrandom`.
  ///
  /// `UUID()` reads `/dev/urandom`, and gives the same one again and again where no descriptor is left to open it with.
  package static func random() -> UUID {
    var generator = SystemRandomNumberGenerator()
    let version: UInt64 = generator.next() & ~0xF000 | 0x4000
    let variant: UInt64 = generator.next() & ~(3 << 62) | 2 << 62
    func byte(_ number: UInt64, _ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: number >> (56 - 8 * index))
    }
    return UUID(
      uuid: (
        byte(version, 0), byte(version, 1), byte(version, 2), byte(version, 3), byte(version, 4),
        byte(version, 5), byte(version, 6), byte(version, 7), byte(variant, 0), byte(variant, 1),
        byte(variant, 2), byte(variant, 3), byte(variant, 4), byte(variant, 5), byte(variant, 6),
        byte(variant, 7)
      ))
  }
}
