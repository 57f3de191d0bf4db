// SPDX-License-Identifier: MIT
import BluebonnetTLS
import CBluebonnetOpenSSL

/// A digest of what comes in pieces.
package struct RunningHash: ~Copyable {
  private let context: OpaquePointer?
  private var hasFailed: Bool

  package init(_ function: HashFunction) {
    OpenSSLLibrary.initialize()
    context = EVP_MD_CTX_new()
    hasFailed = EVP_DigestInit_ex(context, function.function, nil) != 1
  }

  deinit { EVP_MD_CTX_free(context) }

  package mutating func add(_ bytes: RawSpan) {
    let status = bytes.withUnsafeBytes { [context] in EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    if status != 1 { hasFailed = true }
  }

  /// The digest; nil where a policy of the system forbids the function.
  package consuming func finish() -> [UInt8]? {
    if hasFailed { return nil }
    return OpenSSLLibrary.hash { [context] in EVP_DigestFinal_ex(context, $0, &$1) == 1 }
  }
}
