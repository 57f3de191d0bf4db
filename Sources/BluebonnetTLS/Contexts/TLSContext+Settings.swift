// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension TLSContext {
  /// Says what of a configuration no connection could be made with. Nothing is read or written but the key log.
  package static func check(_ configuration: TLSClientConfiguration) throws(TLSSettingError) {
    let settings = configuration.settings
    do throws(TLSError) {
      _ = try ProtocolList(configuration.applicationProtocols)
    } catch {
      throw TLSSettingError(.applicationProtocols, error.reason)
    }
    OpenSSLLibrary.initialize()
    guard let context = SSL_CTX_new(TLS_client_method()) else { return }
    defer {
      SSL_CTX_free(context)
      ERR_clear_error()
    }
    // One by one: in a list, unknown names are passed over.
    for suite in settings.cipherSuites ?? [] {
      guard !suite.contains(":"), SSL_CTX_set_ciphersuites(context, suite) == 1, !suite.isEmpty else {
        throw TLSSettingError(.cipherSuites, "OpenSSL knows no suite \"\(suite)\" for TLS 1.3")
      }
    }
    for word in settings.cipherList?.split(whereSeparator: { ":, ;".contains($0) }) ?? []
    where word.first != "@" {
      // A suite to be left out, or to come last, may be left out by the system already.
      let (isTaken, name) = "!-+".contains(word.first ?? " ") ? (false, word.dropFirst()) : (true, word)
      guard SSL_CTX_set_cipher_list(context, String(name)) == 1 || !isTaken && CipherGroups.contain(name)
      else { throw TLSSettingError(.cipherList, "OpenSSL knows no suite \"\(name)\" for TLS 1.2") }
    }
    try apply(settings, to: context)
    if let path = settings.keyLogPath { _ = try KeyLog(path: path) }
    try checkThatSuitesRemain(in: context, configuration)
  }

  private static func checkThatSuitesRemain(
    in context: OpaquePointer, _ configuration: TLSClientConfiguration
  ) throws(TLSSettingError) {
    guard
      SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, configuration.minimumVersion.number, nil) == 1,
      SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, configuration.maximumVersion.number, nil) == 1,
      let ssl = SSL_new(context)
    else { return }
    defer { SSL_free(ssl) }
    let suites = SSL_get1_supported_ciphers(ssl)
    defer { OPENSSL_sk_free(suites) }
    guard OPENSSL_sk_num(suites) <= 0 else { return }
    throw TLSSettingError(
      configuration.maximumVersion == .tls12 ? .cipherList : .cipherSuites,
      "leaves no suite that is safe enough for this system and that the allowed versions have")
  }

  /// Replaces what a fresh context has, as far as the settings say so, and holds it to the security level.
  static func apply(_ settings: TLSSettings, to context: OpaquePointer) throws(TLSSettingError) {
    // Before a list of ciphers is set: that may lower it.
    let level = max(SSL_CTX_get_security_level(context), securityLevel)
    SSL_CTX_set_security_level(context, level)
    if let suites = settings.cipherSuites {
      guard SSL_CTX_set_ciphersuites(context, suites.joined(separator: ":")) == 1 else {
        throw .refused(.cipherSuites)
      }
    }
    if let list = settings.cipherList {
      guard SSL_CTX_set_cipher_list(context, list) == 1 else { throw .refused(.cipherList) }
      guard SSL_CTX_get_security_level(context) >= securityLevel else {
        throw TLSSettingError(.cipherList, "lowers the security level below \(securityLevel)")
      }
      // A system that asks for more gets it.
      SSL_CTX_set_security_level(context, max(SSL_CTX_get_security_level(context), level))
    }
    if let groups = settings.groups {
      guard control(context, SSL_CTRL_SET_GROUPS_LIST, groups) else { throw .refused(.groups) }
    }
    if let algorithms = settings.signatureAlgorithms {
      guard control(context, SSL_CTRL_SET_SIGALGS_LIST, algorithms) else {
        throw .refused(.signatureAlgorithms)
      }
    }
    SSL_CTX_set_options(context, settings.options.rawValue)
    SSL_CTX_clear_options(context, settings.disabledOptions.rawValue)
    if !settings.resumes { SSL_CTX_set_options(context, TLSSettings.Options.noTicket.rawValue) }
    if settings.answersPostHandshake { SSL_CTX_set_post_handshake_auth(context, 1) }
  }

  static func control(_ context: OpaquePointer, _ command: Int32, _ names: [String]) -> Bool {
    names.joined(separator: ":").withCString {
      SSL_CTX_ctrl(context, command, 0, UnsafeMutableRawPointer(mutating: $0)) == 1
    }
  }
}

extension TLSSettingError {
  fileprivate static func refused(_ member: Member) -> TLSSettingError {
    let words = QueuedError.take()?.text ?? "nothing in it is known"
    return TLSSettingError(member, "is not what OpenSSL takes: \(words)")
  }
}

/// The names of groups of suites, and of suites, that are left out in lists, though a build of OpenSSL may have none of them
/// (ciphers(1ssl)).
private enum CipherGroups {
  static func contain(_ name: Substring) -> Bool {
    name.split(omittingEmptySubsequences: false, whereSeparator: { "+-".contains($0) })
      .allSatisfy { words.contains(String($0)) }
  }

  private static let words = Set(
    """
    ALL COMPLEMENTOFALL COMPLEMENTOFDEFAULT HIGH MEDIUM LOW EXP EXPORT EXPORT40 EXPORT56 EXP1024 eNULL NULL aNULL kRSA aRSA RSA \
    kDHr kDHd kDH kDHE kEDH DH DHE EDH ADH kEECDH kECDHE ECDHE EECDH AECDH kECDHr kECDHe kECDH aECDH ECDH aDSS DSS aDH aECDSA \
    ECDSA kFZA aFZA eFZA FZA kKRB5 aKRB5 KRB5 TLSv1.2 TLSv1.0 TLSv1 SSLv3 SSLv2 AES128 AES256 AES AESGCM AESCCM AESCCM8 GCM CCM \
    CCM8 ARIA128 ARIA256 ARIA ARIAGCM CAMELLIA128 CAMELLIA256 CAMELLIA CHACHA20 POLY1305 3DES DES CBC CBC3 EDE EDE3 RC4 RC2 IDEA \
    SEED MD5 SHA1 SHA SHA256 SHA384 aGOST aGOST01 aGOST12 kGOST kGOST18 GOST94 GOST89 GOST89MAC GOST2001 GOST2012 GOST12 GOST \
    PSK kPSK kECDHEPSK kDHEPSK kRSAPSK aPSK kSRP SRP aSRP
    """.split(separator: " ").map(String.init))
}
