// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The shared part of connections of one configuration: settings, identity, anchors.
///
/// Creating one takes milliseconds, using one next to nothing: keep one for each configuration.
package final class TLSContext: Sendable {
  enum Role: Sendable {
    case client(TLSClientConfiguration.Verification)
    case server
  }

  // Safe: all settings are made in `init`; afterwards OpenSSL only reads the SSL_CTX, or locks it.
  nonisolated(unsafe) let pointer: OpaquePointer
  let role: Role
  /// Anchors: the servers' for a client, the clients' for a server that asks for certificates.
  let store: TrustStore?
  /// Whether a client holds chains to anchors that are not the system's to RFC 5280, to the letter.
  let evaluatesOwnAnchorsStrictly: Bool
  /// The identity of a client that leaves trust to OpenSSL.
  let identity: TLSIdentity?
  /// Whether a client is prepared to be asked for a certificate behind the handshake (RFC 8446 §4.6.2).
  let answersPostHandshake: Bool
  /// The log of a client's secrets.
  let keyLog: KeyLog?
  /// The protocols for a server's ALPN callback to choose from.
  let protocols: ProtocolList
  /// The OCSP response that a server staples.
  let stapledResponse: [UInt8]

  /// A context for connections to servers. Reads the anchors, so make it at the first https request.
  package init(client configuration: TLSClientConfiguration) throws(TLSError) {
    role = .client(configuration.verification)
    evaluatesOwnAnchorsStrictly = configuration.evaluatesOwnAnchorsStrictly
    identity = configuration.verification == .automatic ? configuration.identity : nil
    answersPostHandshake = configuration.settings.answersPostHandshake
    do throws(TLSSettingError) {
      keyLog = try configuration.settings.keyLogPath.map { path throws(TLSSettingError) in
        try KeyLog(path: path)
      }
    } catch {
      throw TLSError(error)
    }
    protocols = try ProtocolList(configuration.applicationProtocols)
    stapledResponse = []
    store = try TrustStore.store(
      for: configuration.anchors, isStrict: configuration.evaluatesOwnAnchorsStrictly,
      lists: configuration.revocationLists)
    // Last of the properties: only then does `deinit` free it if what follows throws.
    pointer = try Self.make(
      TLS_client_method(), from: configuration.minimumVersion, to: configuration.maximumVersion,
      by: configuration.settings)
    try configureClient(configuration)
  }

  /// A context for connections from clients.
  package init(server configuration: TLSServerConfiguration) throws(TLSError) {
    role = .server
    evaluatesOwnAnchorsStrictly = false
    identity = nil
    answersPostHandshake = false
    keyLog = nil
    protocols = try ProtocolList(configuration.applicationProtocols)
    stapledResponse = configuration.stapledResponse ?? []
    switch configuration.clientCertificates {
    case .ignored: store = nil
    case .requested(let anchors), .required(let anchors):
      store = try TrustStore.store(for: .certificates(anchors))
    }
    pointer = try Self.make(
      TLS_server_method(), from: configuration.minimumVersion, to: configuration.maximumVersion)
    try configureServer(configuration)
  }

  /// A context for connections from clients, all settings by default.
  package convenience init(server identity: TLSIdentity) throws(TLSError) {
    try self.init(server: TLSServerConfiguration(identity: identity))
  }

  /// The least strength of keys and signatures: 112 bits, which RSA has with 2048. A system's policy may want
  /// more, and then gets it.
  static let securityLevel: Int32 = 2

  deinit {
    SSL_CTX_free(pointer)
  }

  var isClient: Bool {
    if case .client = role { true } else { false }
  }

  private static func make(
    _ method: OpaquePointer?, from minimum: TLSVersion, to maximum: TLSVersion,
    by settings: TLSSettings = TLSSettings()
  ) throws(TLSError) -> OpaquePointer {
    OpenSSLLibrary.initialize()
    ERR_clear_error()
    guard minimum <= maximum else {
      throw TLSError(.invalidConfiguration, reason: "the minimum version is above the maximum")
    }
    guard let context = SSL_CTX_new(method) else { throw TLSError.queued(.internalFailure) }
    guard SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, minimum.number, nil) == 1,
      SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, maximum.number, nil) == 1,
      SSL_CTX_set_ciphersuites(context, Ciphers.tls13) == 1,
      SSL_CTX_set_cipher_list(context, Ciphers.tls12) == 1, Groups.offer(in: context)
    else {
      SSL_CTX_free(context)
      throw TLSError.queued(.internalFailure)
    }
    do throws(TLSSettingError) {
      try apply(settings, to: context)
    } catch {
      SSL_CTX_free(context)
      throw TLSError(error)
    }
    SSL_CTX_set_options(context, TLSSettings.Options([.noCompression, .noRenegotiation]).rawValue)
    // An idle connection then holds no record buffers (some 34 KiB).
    SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
    return context
  }

  func use(_ identity: TLSIdentity) throws(TLSError) {
    let rest = CertificateStack(identity.chain.dropFirst())
    guard
      SSL_CTX_use_cert_and_key(
        pointer, identity.certificate.x509, identity.privateKey.key, rest.pointer, 1) == 1
    else { throw TLSError.queued(.invalidKey) }
  }

  /// The store becomes the context's too.
  func share(_ store: TrustStore) {
    X509_STORE_up_ref(store.pointer)
    SSL_CTX_set_cert_store(pointer, store.pointer)
  }
}

/// The ciphers, in order.
private enum Ciphers {
  /// AES-128 first, as browsers and Go have it: as safe for the time being and a quarter faster than AES-256,
  /// which OpenSSL would put first.
  static let tls13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
  /// Forward secrecy with authenticated encryption first, then whatever else OpenSSL's defaults allow.
  ///
  /// No Diffie-Hellman over finite fields: the server chooses the group, and one of 8192 bits takes a client more than
  /// a second. Browsers dropped it for that and for its weak groups.
  static let tls12 =
    "ECDHE+AESGCM+AES128:ECDHE+AESGCM:ECDHE+CHACHA20:ALL:!COMPLEMENTOFDEFAULT:!eNULL:!kDHE:!PSK:!SRP:!DSS"
}

/// The groups for key agreement (RFC 8446 §4.2.7): curves, and no finite fields.
private enum Groups {
  /// The best that the library knows: from OpenSSL 3.5 on with the hybrid that quantum computers don't break, both of
  /// the first with a key share, as it has by default; without X25519 where a provider for FIPS has not got it.
  private static let lists = [
    "*X25519MLKEM768:*X25519:P-256:X448:P-521:P-384", "X25519:P-256:X448:P-521:P-384",
    "P-256:P-521:P-384",
  ]

  static func offer(in context: OpaquePointer) -> Bool {
    defer { ERR_clear_error() }
    return lists.contains { TLSContext.control(context, SSL_CTRL_SET_GROUPS_LIST, [$0]) }
  }
}

extension TLSContext {
  func configureClient(_ configuration: TLSClientConfiguration) throws(TLSError) {
    if let store { share(store) }
    if store?.others.isEmpty == false { verifyBySeveralStores() }
    // Without a demand to verify OpenSSL still verifies the chain and leaves the result for `serverTrust`.
    let mode = configuration.verification == .automatic ? SSL_VERIFY_PEER : SSL_VERIFY_NONE
    SSL_CTX_set_verify(pointer, mode, nil)
    if !protocols.bytes.isEmpty {
      // Zero is success here, unlike everywhere else.
      guard SSL_CTX_set_alpn_protos(pointer, protocols.bytes, UInt32(clamping: protocols.bytes.count)) == 0
      else { throw TLSError.queued(.invalidConfiguration) }
    }
    askForStaples()
    if let identity { try use(identity) }
    // Called when the server has asked; with TLS 1.3 it has proved itself by then.
    SSL_CTX_set_cert_cb(pointer, { ssl, _ in TLSEngine.of(ssl)?.isAskedForCertificate() ?? 1 }, nil)
    // Called if there is no certificate to send that the server understands; nor is there one to be had here.
    SSL_CTX_set_client_cert_cb(pointer) { ssl, _, _ in
      TLSEngine.of(ssl)?.hasNoFittingCertificate()
      return 0
    }
    if keyLog != nil {
      SSL_CTX_set_keylog_callback(pointer) { ssl, line in
        if let line { TLSEngine.of(ssl)?.context.keyLog?.append(line) }
      }
    }
    guard configuration.settings.resumes else {
      SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
      return
    }
    // Sessions are handed out one by one and kept by the pool, by origin.
    let caching = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
    SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(caching), nil)
    SSL_CTX_sess_set_new_cb(pointer) { ssl, session in
      guard let session, let engine = TLSEngine.of(ssl) else { return 0 }
      engine.receive(session: session)
      // The engine keeps the reference.
      return 1
    }
  }

  /// Lets handshakes verify by several stores, each with rules of its own; OpenSSL itself knows one per context.
  func verifyBySeveralStores() {
    SSL_CTX_set_cert_verify_callback(
      pointer,
      { context, _ in
        guard let context,
          let ssl = X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()),
          let engine = TLSEngine.of(OpaquePointer(ssl))
        else { return 0 }
        return engine.verifyPeer(in: context) ? 1 : 0
      }, nil)
  }

  /// Whether the files that the anchors are from look as they did when they were read.
  package var hasCurrentAnchors: Bool { store?.isCurrent ?? true }
}

extension TLSEngine {
  /// Called by OpenSSL in the middle of a handshake: does what it would do itself with one store.
  fileprivate func verifyPeer(in context: OpaquePointer) -> Bool {
    guard let store = self.context.store else { return false }
    let sent = CertificateStack(CertificateStack.certificates(in: X509_STORE_CTX_get0_untrusted(context)))
    let evaluation = TrustEvaluation(host: host, securityLevel: SSL_get_security_level(ssl))
    switch evaluation.run(sent, in: store) {
    case .success(let chain):
      X509_STORE_CTX_set_error(context, X509_V_OK)
      X509_STORE_CTX_set0_verified_chain(context, CertificateStack(chain).shared())
      return true
    case .failure(let failure):
      X509_STORE_CTX_set_error(context, Int32(clamping: failure.code))
      return false
    }
  }
}
