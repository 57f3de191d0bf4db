// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1

extension URL {
  /// The same address without user name and password: what responses, metrics and errors show.
  package var withoutUserInformation: URL {
    var text = absoluteString
    guard let range = Self.userInformation(in: text.utf8) else { return self }
    text.removeSubrange(range)
    return URL(string: text) ?? self
  }

  /// The bytes between `//` and the last `@` before the path (RFC 3986 §3.2), that sign included.
  private static func userInformation(in text: String.UTF8View) -> Range<String.Index>? {
    guard let colon = text.firstIndex(of: Byte.colon) else { return nil }
    let rest = text[text.index(after: colon)...].dropFirst(2)
    guard text[colon..<rest.startIndex].elementsEqual([Byte.colon, Byte.slash, Byte.slash]) else {
      return nil
    }
    let end = rest.firstIndex { $0 == Byte.slash || $0 == Byte.question || $0 == Byte.hash } ?? rest.endIndex
    guard let at = rest[..<end].lastIndex(of: Byte.at) else { return nil }
    return rest.startIndex..<text.index(after: at)
  }
}
