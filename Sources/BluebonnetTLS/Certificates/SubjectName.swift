// SPDX-License-Identifier: MIT

/// A name that a certificate vouches for.
package enum SubjectName: Sendable, Hashable {
  /// A host name, possibly with `*` as its leftmost label.
  case dns(String)
  /// An IPv4 or IPv6 address as text.
  case address(String)

  /// Whichever the text is.
  package init(_ text: String) {
    self = AddressText.bytes(of: text) == nil ? .dns(text) : .address(text)
  }
}

extension SubjectName: CustomStringConvertible {
  package var description: String {
    switch self {
    case .dns(let text), .address(let text): text
    }
  }
}
