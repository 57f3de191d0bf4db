// SPDX-License-Identifier: MIT
import BluebonnetTLS
import CBluebonnetOpenSSL
import Glibc

/// What OpenSSL would not do.
package struct TestAuthorityError: Error {
  let step: String

  init(_ step: String) {
    self.step = step
  }
}

/// A key pair; on P-256 unless it is said.
// Sendable: an EVP_PKEY is only read once it is made.
package final class TestKey: @unchecked Sendable {
  let pointer: OpaquePointer
  package let pem: String

  init(_ algorithm: PrivateKey.Algorithm = .ellipticP256) throws {
    let key = try PrivateKey(generating: algorithm)
    let der = key.der
    let pointer = der.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return d2i_AutoPrivateKey(nil, &cursor, buffer.count)
    }
    guard let pointer else { throw TestAuthorityError("key") }
    self.pointer = pointer
    pem = key.pem
  }

  deinit { EVP_PKEY_free(pointer) }
}

/// A certificate with whatever is to be in it.
// Sendable: an X509 is only read once it is made.
package final class TestCertificate: @unchecked Sendable {
  let pointer: OpaquePointer

  init(
    _ name: String, serial: Int = 1, key: TestKey, issuer: StatusAuthority?, extensions: [TestExtension],
    days: ClosedRange<Int> = -1...3_650
  ) throws {
    guard let made = X509_new() else { throw TestAuthorityError("certificate") }
    pointer = made
    let now = time(nil)
    X509_set_version(made, 2)
    ASN1_INTEGER_set(X509_get_serialNumber(made), serial)
    ASN1_TIME_set(X509_getm_notBefore(made), now + days.lowerBound * 86_400)
    ASN1_TIME_set(X509_getm_notAfter(made), now + days.upperBound * 86_400)
    // OpenSSL makes no empty name; without one the subject is empty.
    if !name.isEmpty {
      X509_NAME_add_entry_by_NID(
        X509_get_subject_name(made), NID_commonName, MBSTRING_UTF8, Array(name.utf8), Int32(name.utf8.count),
        -1, 0)
    }
    let above = issuer?.certificate.pointer ?? made
    X509_set_issuer_name(made, X509_get_subject_name(above))
    X509_set_pubkey(made, key.pointer)
    for one in extensions + (issuer == nil ? [] : [.authorityKey]) {
      var context = X509V3_CTX()
      X509V3_set_ctx(&context, above, made, nil, nil, 0)
      guard let part = X509V3_EXT_conf_nid(nil, &context, one.identifier, one.value) else {
        throw TestAuthorityError("extension \(one.value)")
      }
      X509_add_ext(made, part, -1)
      X509_EXTENSION_free(part)
    }
    guard X509_sign(made, (issuer?.key ?? key).pointer, EVP_sha256()) > 0 else {
      throw TestAuthorityError("signature")
    }
  }

  deinit { X509_free(pointer) }

  package var der: [UInt8] { encoded { i2d_X509(pointer, $0) } }

  package var pem: String {
    (try? Certificate(der: der).pem) ?? ""
  }

  /// As the library under test has it.
  package func parsed() throws -> Certificate { try Certificate(der: der) }
}

/// What an `i2d_…` function writes.
func encoded(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
  let size = max(Int(encode(nil)), 0)
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, written in
    var cursor = buffer.baseAddress
    written = max(Int(encode(&cursor)), 0)
  }
}
