import CBluebonnetOpenSSL

/// OpenSSL's `STACK_OF(…)`: Swift cannot import its macros.
enum OpenSSLStack {
  /// The members of a stack, of which none is given away; `nil` is the empty stack, as it is throughout OpenSSL.
  static func members(of stack: OpaquePointer?) -> [UnsafeMutableRawPointer] {
    (0..<max(OPENSSL_sk_num(stack), 0)).compactMap { OPENSSL_sk_value(stack, $0) }
  }
}
