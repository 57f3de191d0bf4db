// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The five parts of a URI or of a relative reference (RFC 3986 §3 and §4.1), as slices of its bytes.
struct URIReference {
  var scheme: ArraySlice<UInt8>?
  var authority: ArraySlice<UInt8>?
  var path: ArraySlice<UInt8>
  var query: ArraySlice<UInt8>?
  var fragment: ArraySlice<UInt8>?

  /// Never fails: every text is a reference of some kind (RFC 3986, appendix B).
  init(_ text: some Sequence<UInt8>) {
    var rest = Array(text)[...]
    if let hash = rest.firstIndex(of: Byte.hash) {
      fragment = rest[(hash + 1)...]
      rest = rest[..<hash]
    }
    if let question = rest.firstIndex(of: Byte.question) {
      query = rest[(question + 1)...]
      rest = rest[..<question]
    }
    if let end = rest.firstIndex(where: { $0 == Byte.colon || $0 == Byte.slash }), rest[end] == Byte.colon,
      Self.isScheme(rest[..<end])
    {
      scheme = rest[..<end]
      rest = rest[(end + 1)...]
    }
    if rest.starts(with: [Byte.slash, Byte.slash]) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: Byte.slash) ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    path = rest
  }

  /// §3.1.
  static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { Byte.lowercased(byte) &- UInt8(ascii: "a") < 26 }
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy {
      isLetter($0) || Byte.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == Byte.dot
    }
  }

  /// The target of this reference in a resource at `base` (§5.2.2).
  func resolved(against base: URIReference) -> URIReference {
    var target = self
    if scheme != nil {
      // A reference without an authority is not for us to take apart.
      if authority != nil { target.path = Self.withoutDotSegments(path) }
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = Self.withoutDotSegments(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.first == Byte.slash {
      target.path = Self.withoutDotSegments(path)
    } else {
      target.path = Self.withoutDotSegments(base.merged(with: path))
    }
    return target
  }

  /// §5.2.3: the path in the place of what stands behind the last slash of this one.
  private func merged(with path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if authority != nil, self.path.isEmpty { return [Byte.slash] + path }
    let directory = self.path.lastIndex(of: Byte.slash).map { self.path[...$0] } ?? []
    return directory + path
  }

  /// §5.2.4.
  private static func withoutDotSegments(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // Hardly any path has some.
    guard beginsSegmentWithDot(path) else { return path }
    var segments: [ArraySlice<UInt8>] = []
    let isRooted = path.first == Byte.slash
    let all = path.split(separator: Byte.slash, omittingEmptySubsequences: false).dropFirst(isRooted ? 1 : 0)
    var endsInDirectory = false
    for segment in all {
      endsInDirectory = false
      if segment.elementsEqual(".".utf8) {
        endsInDirectory = true
      } else if segment.elementsEqual("..".utf8) {
        _ = segments.popLast()
        endsInDirectory = true
      } else {
        segments.append(segment)
      }
    }
    var result: ArraySlice<UInt8> = isRooted ? [Byte.slash] : []
    result += segments.joined(separator: [Byte.slash])
    if endsInDirectory, !segments.isEmpty { result.append(Byte.slash) }
    return result
  }

  private static func beginsSegmentWithDot(_ path: ArraySlice<UInt8>) -> Bool {
    var last = Byte.slash
    for byte in path {
      if byte == Byte.dot, last == Byte.slash { return true }
      last = byte
    }
    return false
  }

  /// §5.3.
  var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    if let scheme {
      bytes += scheme
      bytes.append(Byte.colon)
    }
    if let authority {
      bytes += "//".utf8
      bytes += authority
    }
    bytes += path
    if let query {
      bytes.append(Byte.question)
      bytes += query
    }
    if let fragment {
      bytes.append(Byte.hash)
      bytes += fragment
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
