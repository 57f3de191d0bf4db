// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

/// Reads with OpenSSL's `d2i_…` functions.
enum DER {
  typealias Decoder = (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?

  /// The value of one encoding; nil if it is none, or anything comes after it.
  static func read(_ bytes: [UInt8], _ decode: Decoder, free: (OpaquePointer?) -> Void) -> OpaquePointer? {
    bytes.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      guard let parsed = decode(&cursor, buffer.count) else { return nil }
      guard cursor == buffer.baseAddress.map({ $0 + buffer.count }) else {
        free(parsed)
        return nil
      }
      return parsed
    }
  }

  /// The value of the first encoding, whatever comes after it; nil if it is none.
  static func readFirst(in bytes: [UInt8], _ decode: Decoder) -> OpaquePointer? {
    bytes.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return decode(&cursor, buffer.count)
    }
  }

  /// The parameter of an algorithm; nil for none, or one of another type.
  static func parameter<Parameter>(
    of algorithm: UnsafePointer<X509_ALGOR>,
    _ decode: (
      UnsafeMutablePointer<UnsafeMutablePointer<Parameter>?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
      Int
    ) -> UnsafeMutablePointer<Parameter>?
  ) -> UnsafeMutablePointer<Parameter>? {
    var kind: Int32 = 0
    var value: UnsafeRawPointer?
    X509_ALGOR_get0(nil, &kind, &value, algorithm)
    guard kind == V_ASN1_SEQUENCE, let text = value?.assumingMemoryBound(to: ASN1_STRING.self) else {
      return nil
    }
    var cursor = ASN1_STRING_get0_data(text)
    return decode(nil, &cursor, Int(ASN1_STRING_length(text)))
  }
}

/// Times in the form of certificates, revocation lists and OCSP responses.
enum ASN1Time {
  /// In seconds since 1970; nil if it is none.
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    // Without a time OpenSSL would take the present.
    guard let time else { return nil }
    var calendar = tm()
    guard ASN1_TIME_to_tm(time, &calendar) == 1 else {
      ERR_clear_error()
      return nil
    }
    return Int64(timegm(&calendar))
  }
}
