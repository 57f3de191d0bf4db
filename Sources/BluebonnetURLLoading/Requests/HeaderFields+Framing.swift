// SPDX-License-Identifier: MIT
import BluebonnetSemantics

extension HeaderFields {
  /// Framing and the host are the transport's to state: a caller's own could not be told from smuggling.
  static func isOurs(_ name: String) -> Bool {
    switch name.utf8.count {
    case 4: name.equalsIgnoringASCIICase("Host")
    case 14: name.equalsIgnoringASCIICase("Content-Length")
    case 17: name.equalsIgnoringASCIICase("Transfer-Encoding")
    default: false
    }
  }
}
