// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension Cookie {
  /// The value of `Cookie` (RFC 6265bis §5.8.3, step 4), or nil for no cookies. A cookie without a name is its value alone.
  package static func header(of cookies: [Cookie]) -> FieldValue? {
    guard !cookies.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(cookies.reduce(0) { $0 + headerLength(of: $1) })
    for cookie in cookies { cookie.write(to: &bytes) }
    return FieldValue(bytes: bytes)
  }

  /// The bytes that a cookie takes of a field, and sometimes a few more.
  static func headerLength(of cookie: borrowing Cookie) -> Int {
    cookie.name.utf8.count + cookie.value.utf8.count + 3
  }

  /// Appends the cookie to a field that may have others.
  borrowing func write(to bytes: inout [UInt8]) {
    if !bytes.isEmpty { bytes.append(contentsOf: "; ".utf8) }
    guard encoding == .utf8 else {
      let text = name.isEmpty ? value : "\(name)=\(value)"
      bytes.append(contentsOf: encoding.bytes(of: text))
      return
    }
    if !name.isEmpty {
      bytes.append(contentsOf: name.utf8)
      bytes.append(Byte.equals)
    }
    bytes.append(contentsOf: value.utf8)
  }
}
