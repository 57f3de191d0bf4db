// SPDX-License-Identifier: MIT

/// The trusted authorities.
package enum TrustAnchors: Sendable, Hashable {
  /// The system's, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
  case system
  /// A PEM file.
  case file(String)
  /// A directory of PEM files, perhaps named by the hashes of their subjects.
  case directory(String)
  case certificates([Certificate])
  /// Each of them is enough.
  case several([TrustAnchors])

  /// Its members, none of them with members of its own.
  var members: [TrustAnchors] {
    if case .several(let members) = self { members.flatMap(\.members) } else { [self] }
  }
}
