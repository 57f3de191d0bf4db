// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

extension TLSEngine {
  package var version: TLSVersion? { TLSVersion(number: SSL_version(ssl)) }

  /// The cipher suite's code point.
  package var cipherSuite: UInt16? {
    SSL_get_current_cipher(ssl).map { SSL_CIPHER_get_protocol_id($0) }
  }

  /// The cipher suite's name as registered with IANA.
  package var cipher: String? {
    SSL_get_current_cipher(ssl).flatMap(SSL_CIPHER_standard_name).map { String(cString: $0) }
  }

  /// The name of the group that the key was agreed in, such as `x25519`; `nil` if it was in none.
  package var group: String? {
    let number = SSL_ctrl(ssl, SSL_CTRL_GET_NEGOTIATED_GROUP, 0, nil)
    guard number > 0 else { return nil }
    return SSL_group_to_name(ssl, Int32(clamping: number)).map { String(cString: $0) }
  }

  /// The protocol that ALPN settled on.
  package var negotiatedProtocol: String? {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &start, &count)
    guard let start, count > 0 else { return nil }
    return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// On a server: the name the client asked for.
  package var requestedHost: String? {
    SSL_get_servername(ssl, Int32(TLSEXT_NAMETYPE_host_name)).map { String(cString: $0) }
  }

  /// Whether the handshake is done.
  package var isHandshakeComplete: Bool { isEstablished }

  package var wasResumed: Bool { SSL_session_reused(ssl) == 1 }

  /// The peer's own certificate; on a server, that of a client that was asked for one.
  package var peerCertificate: Certificate? { SSL_get1_peer_certificate(ssl).map(Certificate.init(owning:)) }

  /// On a client: what the handshake found against the server, `nil` if nothing.
  ///
  /// With manual verification this is the default evaluation, for the driver to follow or to overrule.
  package var verificationFailure: TrustFailure? { serverTrust?.failure ?? chainFailure }

  /// OpenSSL's verdict alone.
  var chainFailure: TrustFailure? {
    TrustFailure(code: SSL_get_verify_result(ssl), in: context.store)?.naming(peerCertificate, for: host)
  }

  /// On a client, after the handshake: the server's chain.
  package var serverTrust: ServerTrust? {
    if let cachedTrust { return cachedTrust }
    guard let store = context.store, context.isClient else { return nil }
    if wasResumed, let resumedTrust {
      cachedTrust = resumedTrust
      return resumedTrust
    }
    let presented = CertificateStack(
      CertificateStack.certificates(in: SSL_get_peer_cert_chain(ssl)))
    guard let stack = presented.pointer, OPENSSL_sk_num(stack) > 0 else { return nil }
    let failure = chainFailure
    let verified = failure == nil ? CertificateStack.certificates(in: SSL_get0_verified_chain(ssl)) : []
    let stapled = stapledResponse
    let trust = ServerTrust(
      host: host ?? "", presented: presented, verified: verified,
      failure: failure ?? stapled.failure(about: verified, at: Int64(time(nil))), store: store,
      rules: TrustRules(
        securityLevel: SSL_get_security_level(ssl),
        evaluatesOwnAnchorsStrictly: context.evaluatesOwnAnchorsStrictly
      ), stapled: stapled)
    cachedTrust = trust
    return trust
  }
}
