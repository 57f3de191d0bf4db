// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// A request's head: it is sent as it is, but over a route to a proxy asked by the absolute form, a target in origin form
/// gets its scheme and authority.
package struct RequestHeadBytes: Sendable, Hashable {
  /// From the request line to the empty line, with the target in origin form (RFC 9112 §3.2.1).
  private var originForm: [UInt8]

  /// - Parameter originForm: As `RequestEncoder` writes it.
  package init(_ originForm: [UInt8]) {
    self.originForm = originForm
  }

  /// The bytes sent over a route. Without a proxy these are the bytes that are here, not a copy.
  package func bytes(for route: Route) -> [UInt8] {
    guard route.hasAbsoluteForm, let space = originForm.firstIndex(of: UInt8(ascii: " ")) else {
      return originForm
    }
    let target = space + 1
    // The caller has written an absolute form himself.
    let first = target < originForm.count ? originForm[target] : 0
    if first != UInt8(ascii: "/"), first != UInt8(ascii: "*") { return originForm }
    // An OPTIONS for the whole server names it by its authority alone (RFC 9112 §3.2.4).
    let isAsterisk = first == UInt8(ascii: "*")
    var bytes: [UInt8] = []
    // A scheme, a port and brackets.
    bytes.reserveCapacity(originForm.count + route.host.utf8.count + 16)
    bytes += originForm[..<target]
    route.appendTargetPrefix(to: &bytes)
    bytes += originForm[(isAsterisk ? target + 1 : target)...]
    return bytes
  }

  /// The value of the first field with this name, if the request has one.
  func value(of name: String) -> String? {
    var lines = originForm.split(separator: UInt8(ascii: "\n")).dropFirst().makeIterator()
    while let line = lines.next() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        String(decoding: line[..<colon], as: UTF8.self).equalsIgnoringASCIICase(name)
      else { continue }
      // Without the line's end.
      let value = String(decoding: line[(colon + 1)...].dropLast(), as: UTF8.self)
      return String(value.trimmingOptionalWhitespace)
    }
    return nil
  }

  /// Adds field lines behind those that are here: what a cache or a proxy wants to be told.
  package mutating func add(_ fields: EncodedFields) {
    // Before the empty line.
    originForm.insert(contentsOf: fields.bytes, at: originForm.count - 2)
  }
}
