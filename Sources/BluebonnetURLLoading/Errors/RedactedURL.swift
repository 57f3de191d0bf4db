// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages

/// An address as errors and descriptions show it: without the parts that may be secret.
///
/// The name and the password before the host go (RFC 3986 §3.2.1 advises as much for displayed URLs).
/// Sentences that are made to be logged do without the query's and the fragment's content, too, where keys and tokens
/// are often found. An addition of this package, for programs with messages of their own that name addresses.
public struct RedactedURL: Sendable {
  /// Longer ones are cut: an address may have any length, and a sentence may not.
  private static let limit = 300

  private var bytes: [UInt8]

  /// Shortens the text of a URL, which need not be a valid one.
  public init(_ text: String) {
    bytes = Array(text.utf8)
    // Data has no authority, and may have any characters.
    if bytes.starts(with: "data:".utf8) { return }
    let start = Self.authorityStart(in: bytes)
    let end = bytes[start...].firstIndex(where: Self.endsAuthority) ?? bytes.endIndex
    if let at = bytes[start..<end].lastIndex(of: Byte.at) {
      bytes.removeSubrange(start...at)
    } else if let start = Self.misspelledAuthorityStart(in: bytes) {
      let end = bytes[start...].firstIndex { $0 == Byte.question || $0 == Byte.hash } ?? bytes.endIndex
      if let at = bytes[start..<end].lastIndex(of: Byte.at) { bytes.removeSubrange(start...at) }
    }
  }

  /// Text that turned out not to be a URL: the end of a password in it is unknown, so it ends at the last `@`.
  public init(unparsed text: String) {
    bytes = Array(text.utf8)
    guard let at = bytes.lastIndex(of: Byte.at) else { return }
    bytes.removeSubrange(min(Self.authorityStart(in: bytes), at)...at)
  }

  /// All of it but the user information.
  public var withoutUserInformation: String { String(decoding: bytes, as: UTF8.self) }

  /// In one line for a log: `?…` instead of the query, no fragment, 300 bytes at most, and no control characters.
  public var short: String {
    var kept = bytes.prefix { $0 != Byte.hash }
    let query = kept.firstIndex(of: Byte.question)
    if let query { kept = kept[..<query] }
    let isLong = kept.count > Self.limit
    if isLong { kept = Self.wholeCharacters(of: kept.prefix(Self.limit)) }
    let shown = kept.flatMap { $0 < 0x20 || $0 == 0x7F ? Byte.percentEncoded($0) : [$0] }
    return String(decoding: shown, as: UTF8.self) + (isLong ? "…" : "") + (query == nil ? "" : "?…")
  }

  /// Without a last character that may be cut through.
  private static func wholeCharacters(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let last = bytes.last, last & 0x80 != 0 else { return bytes }
    return bytes.dropLast(bytes.reversed().prefix { $0 & 0xC0 == 0x80 }.count + 1)
  }

  /// Behind the scheme and the slashes, as far as they are there.
  private static func authorityStart(in bytes: [UInt8]) -> Int {
    var start = 0
    if let colon = bytes.firstIndex(of: Byte.colon), !bytes[..<colon].contains(where: endsAuthority) {
      start = colon + 1
    }
    let slashes = bytes[start...].prefix(2)
    return slashes.count == 2 && slashes.allSatisfy { $0 == Byte.slash } ? start + 2 : start
  }

  /// The place of the name and the password in `http:///me:secret@host` and `http//me:secret@host`, which to a
  /// URL's rules have them in their paths; nil where the authority is where it belongs.
  private static func misspelledAuthorityStart(in bytes: [UInt8]) -> Int? {
    let scheme = bytes.prefix { $0 != Byte.colon && $0 != Byte.slash }
    guard scheme.count < bytes.count,
      ["http", "https"].contains(String(decoding: scheme, as: UTF8.self).lowercased())
    else { return nil }
    let marks = bytes[scheme.endIndex...].prefix { $0 == Byte.colon || $0 == Byte.slash }
    return marks.elementsEqual("://".utf8) ? nil : marks.endIndex
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == Byte.slash || byte == Byte.question || byte == Byte.hash
  }
}

extension URL {
  /// This address for the members of an error: without user information, even where a host was taken for a scheme.
  var withoutSecrets: URL {
    let text = absoluteString
    guard text.utf8.contains(Byte.at) else { return self }
    let shown = RedactedURL(text).withoutUserInformation
    return shown == text ? self : URL(string: shown) ?? URL(filePath: "/")
  }

  /// The whole address, query and all, but without user information.
  package var shownWithQuery: String { RedactedURL(absoluteString).withoutUserInformation }

  /// This address for a sentence: without user information, and without the content of its query.
  package var shown: String { RedactedURL(absoluteString).short }
}
