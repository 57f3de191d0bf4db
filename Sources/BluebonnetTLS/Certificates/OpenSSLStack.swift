// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// OpenSSL's `STACK_OF(…)`: Swift cannot import its macros.
enum OpenSSLStack {
  /// The members of a stack, of which none is given away; `nil` is the empty stack, as it is throughout OpenSSL.
  static func members(of stack: OpaquePointer?) -> [UnsafeMutableRawPointer] {
    (0..<max(OPENSSL_sk_num(stack), 0)).compactMap { OPENSSL_sk_value(stack, $0) }
  }
}

/// OpenSSL's strings.
enum ASN1Text {
  /// The bytes, which are the string's.
  static func bytes(of string: UnsafePointer<ASN1_STRING>?) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
  }

  /// A name of one of some kinds; its bytes are the name's.
  static func bytes(
    of name: UnsafePointer<GENERAL_NAME>, _ kinds: Int32...
  ) -> (kind: Int32, bytes: UnsafeBufferPointer<UInt8>)? {
    var kind: Int32 = 0
    guard let value = GENERAL_NAME_get0_value(name, &kind), kinds.contains(kind) else { return nil }
    return (kind, bytes(of: UnsafePointer(OpaquePointer(value))))
  }
}
