// SPDX-License-Identifier: MIT
import BluebonnetLibc
import BluebonnetTLS
import CBluebonnetOpenSSL

/// The outside sources of answers: random numbers, and the time.
package struct AuthenticationSources: Sendable {
  /// So many unpredictable random bytes; nil if there are none to be had.
  package var random: @Sendable (Int) -> [UInt8]?
  /// The present, in seconds since the start of 1970, for NTLM servers that do not tell the time themselves.
  package var now: @Sendable () -> UInt64

  package init(
    random: @escaping @Sendable (Int) -> [UInt8]?, now: @escaping @Sendable () -> UInt64
  ) {
    self.random = random
    self.now = now
  }

  /// OpenSSL's random numbers and the system's clock.
  package static let system = AuthenticationSources(
    random: { count in
      OpenSSLLibrary.initialize()
      var bytes = [UInt8](repeating: 0, count: count)
      return RAND_bytes(&bytes, Int32(count)) == 1 ? bytes : nil
    },
    now: { UInt64(clamping: time(nil)) })
}
