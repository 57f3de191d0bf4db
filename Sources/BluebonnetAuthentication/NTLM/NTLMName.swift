// SPDX-License-Identifier: MIT

/// The name of a user, in NTLM's parts.
struct NTLMName: Sendable, Equatable {
  let user: String
  let domain: String

  /// `DOMAIN\user` names the domain; `user@domain` is one name, and the server finds its domain (MS-NLMP §3.3.2 counts with
  /// the name as it is).
  init(_ name: String) {
    if let backslash = name.firstIndex(of: "\\") {
      domain = String(name[..<backslash])
      user = String(name[name.index(after: backslash)...])
    } else {
      (user, domain) = (name, "")
    }
  }

  /// UTF-16, little-endian.
  static func utf16(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  /// Upper case letter by letter, as in Windows' table: a letter with more than one in upper case stays.
  static func uppercased(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let upper = scalar.properties.uppercaseMapping.unicodeScalars
      result.append(upper.count == 1 ? upper.first ?? scalar : scalar)
    }
    return String(result)
  }
}
