// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetURLLoading

/// `type/subtype`. An acceptable type may have `*` for either half. Parameters do not matter.
struct MIMEPattern: Equatable {
  let type: Substring
  let subtype: Substring

  var isWildcard: Bool { type == "*" && subtype == "*" }

  init?(_ text: some StringProtocol) {
    let essence = Substring(text).prefix { $0 != ";" }
    let halves = essence.split(separator: "/", omittingEmptySubsequences: false).map(\.trimmed)
    guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty else { return nil }
    type = halves[0]
    subtype = halves[1]
  }

  /// Whether this pattern, as an acceptable one, covers `other`. Case does not matter (RFC 9110 §8.3.1): a response
  /// tells its type in lower case, whatever the server and the request wrote.
  func matches(_ other: MIMEPattern) -> Bool {
    (type == "*" || type.equalsIgnoringASCIICase(other.type))
      && (subtype == "*" || subtype.equalsIgnoringASCIICase(other.subtype))
  }
}

extension Substring {
  /// Without the white space around it.
  var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
