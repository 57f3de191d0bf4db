// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// A `STACK_OF(X509)` that holds a reference to each of its certificates.
final class CertificateStack: Sendable {
  /// `nil` stands for the empty stack, as it does throughout OpenSSL.
  // Safe: the stack is never changed after `init`, and OpenSSL shares its members.
  nonisolated(unsafe) let pointer: OpaquePointer?

  /// Takes over the stack and one reference of each member.
  init(owning pointer: OpaquePointer?) {
    self.pointer = pointer
  }

  init(_ certificates: some Sequence<Certificate>) {
    pointer = OPENSSL_sk_new_null()
    for certificate in certificates {
      X509_up_ref(certificate.x509)
      if OPENSSL_sk_push(pointer, UnsafeRawPointer(certificate.x509)) == 0 { X509_free(certificate.x509) }
    }
  }

  /// Another reference to the same stack, owned by the caller.
  func shared() -> OpaquePointer? { X509_chain_up_ref(pointer) }

  deinit {
    OPENSSL_sk_pop_free(pointer) { X509_free(OpaquePointer($0)) }
  }

  var certificates: [Certificate] { Self.certificates(in: pointer) }

  /// The members of a stack with another owner.
  static func certificates(in stack: OpaquePointer?) -> [Certificate] {
    OpenSSLStack.members(of: stack).map { Certificate(sharing: OpaquePointer($0)) }
  }
}
