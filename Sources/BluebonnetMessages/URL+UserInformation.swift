import BluebonnetFoundation
import BluebonnetHTTP1

extension URL {
  /// The same address without user name and password: what responses, metrics and errors show.
  package var withoutUserInformation: URL {
    var text = absoluteString
    let range = text.withUTF8 { bytes in Self.userInformation(in: bytes) }
    guard let range else { return self }
    var bytes = Array(text.utf8)
    bytes.removeSubrange(range)
    return URL(string: String(decoding: bytes, as: UTF8.self)) ?? self
  }

  /// The bytes between `//` and the last `@` before the path (RFC 3986 §3.2), that sign included.
  private static func userInformation(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard let colon = bytes.firstIndex(of: Byte.colon), bytes.count > colon + 2,
      bytes[colon + 1] == Byte.slash, bytes[colon + 2] == Byte.slash
    else { return nil }
    let rest = bytes[(colon + 3)...]
    let end = rest.firstIndex { $0 == Byte.slash || $0 == Byte.question || $0 == Byte.hash } ?? rest.endIndex
    guard let at = rest[..<end].lastIndex(of: Byte.at) else { return nil }
    return rest.startIndex..<(at + 1)
  }
}
