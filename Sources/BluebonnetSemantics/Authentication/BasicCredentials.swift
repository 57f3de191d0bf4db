// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Credentials of the scheme Basic: a name and a password (RFC 7617 §2).
package enum BasicCredentials {
  /// The value of `Authorization`. The bytes go out as they are: §2 leaves their charset open.
  package static func authorization(user: some Sequence<UInt8>, password: some Sequence<UInt8>) -> String {
    "Basic " + Base64.encode(Array(user) + [Byte.colon] + password)
  }
}
