// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension PrivateKey {
  /// The first private key that OpenSSL finds at an address (ossl_store(7)): `file:`, `org.openssl.engine:ENGINE:KEY`, or
  /// what a provider serves that the system's configuration loads, such as `pkcs11:`. The key may stay where it is.
  ///
  /// - Parameter password: Opens it: a passphrase, or the PIN of a token. There is no question on a terminal.
  package convenience init(uri: String, password: String? = nil) throws(TLSError) {
    OpenSSLLibrary.initialize()
    for path in Self.paths(in: uri) {
      guard let bytes = try? PEMFile.content(of: path) else { continue }
      guard PasswordRounds.areReasonable(inFile: bytes, password: password ?? "") else {
        throw Self.tooManyRounds
      }
    }
    ERR_clear_error()
    let key = PEMPassword.lending(password) { Self.load(uri, asking: $0) }
    // Addresses may hold a PIN, so they are not repeated.
    guard let key else { throw Self.failure(of: uri) }
    ERR_clear_error()
    self.init(owning: key)
  }

  /// The file names that OpenSSL may see in an address: the address itself, or the text after its scheme (ossl_store-file(7)).
  private static func paths(in uri: String) -> [String] {
    guard uri.lowercased().hasPrefix("file:") else { return [uri] }
    let rest = uri.dropFirst("file:".count)
    let isRemote = rest.hasPrefix("//")
    let path = isRemote ? rest.dropFirst(2).drop { $0 != "/" } : rest
    return [uri, String(path)]
  }

  private static func load(_ uri: String, asking secret: UnsafeMutableRawPointer) -> OpaquePointer? {
    guard let method = UI_UTIL_wrap_read_pem_callback(PEMPassword.callback, 0) else { return nil }
    defer { UI_destroy_method(method) }
    guard let store = OSSL_STORE_open(uri, method, secret, nil, nil) else { return nil }
    defer { OSSL_STORE_close(store) }
    OSSL_STORE_expect(store, OSSL_STORE_INFO_PKEY)
    while OSSL_STORE_eof(store) == 0, OSSL_STORE_error(store) == 0 {
      guard let found = OSSL_STORE_load(store) else { continue }
      defer { OSSL_STORE_INFO_free(found) }
      if let key = OSSL_STORE_INFO_get1_PKEY(found) { return key }
    }
    return nil
  }

  private static func failure(of uri: String) -> TLSError {
    // An address without a scheme is a file's name.
    let scheme = uri.contains(":") ? uri.prefix { $0 != ":" } : "file"
    let last = ERR_peek_last_error()
    ERR_clear_error()
    let isUnknown =
      ERR_GET_LIB(last) == ERR_LIB_OSSL_STORE && ERR_GET_REASON(last) == OSSL_STORE_R_UNREGISTERED_SCHEME
    let words = ERR_reason_error_string(last).map { String(cString: $0) } ?? "there is none"
    return TLSError(
      .invalidKey,
      reason: isUnknown || scheme != "file"
        ? "no provider of OpenSSL's loads a key by \"\(scheme):\" (\(words))"
        : "no key can be loaded from the file (\(words))")
  }
}
