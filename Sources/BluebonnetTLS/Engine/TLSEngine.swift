// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// One end of one TLS connection, without a socket: ciphertext in and out, plaintext in and out.
///
/// The driver's part:
///
///     feed(received)  →  handshake() until `.handshakeComplete`  →  read(into:) until `.needsInput`
///     write(plain)    →  output, outputSent(_:)
///
/// Each of the calls on the first line may add to `output`: the driver sends it after every call, also after
/// one that threw, for then it holds the alert. After an error the engine repeats that error.
///
/// Confined to the loop, hence not `Sendable`.
package final class TLSEngine {
  package enum Step: Sendable, Hashable {
    /// Everything fed is used up.
    case needsInput
    case handshakeComplete
    /// So many bytes of plaintext.
    case bytes(Int)
    /// The peer said close_notify: what came before is complete.
    case closed
    /// On a client: the server asks for a certificate. The handshake goes on after `authenticate(with:)`.
    case certificateRequested
  }

  let ssl: OpaquePointer
  let wire: WireBuffers
  let context: TLSContext
  let host: String?
  var isEstablished = false
  /// Nothing can be read before more is fed.
  var isDrained = false
  /// `read(into:)` met the end behind the bytes that it handed out, and has still to tell of it.
  var owesEnd = false
  /// OpenSSL has a record's header and nothing of the record, which it does not count as pending.
  var isBehindHeader = false
  /// The server asked for a certificate.
  var wasAsked = false
  /// It did, and there was none to send.
  var lacksCertificate = false
  /// It did before it had proved its own key, and was told nothing.
  var keepsToItself = false
  /// It is known what the client proves itself with, if with anything.
  var hasDecidedIdentity = false
  /// The client's identity for a server that asks; nil for none.
  var identity: TLSIdentity?
  /// The error that ended the connection.
  var failure: TLSError?
  var cachedTrust: ServerTrust?
  /// The resumed session's trust in the server.
  var resumedTrust: ServerTrust?
  /// The identity with which a client resumes, and may be asked for later on.
  let expectedIdentity: TLSIdentity?
  var receivedSessions: [TLSSession] = []
  /// There are any: asked for each response, of which nearly none brings one.
  var hasSessions = false

  /// - Parameters:
  ///   - host: The name or address to verify the server by, and to indicate to it if it is a name; a server
  ///     passes `nil`.
  ///   - session: A session to offer; ignored if it belongs to another context or host, or has another identity.
  ///   - identity: The identity with which a client resumes; nil for none.
  package init(
    context: TLSContext, host: String? = nil, resuming session: TLSSession? = nil,
    as identity: TLSIdentity? = nil
  ) throws(TLSError) {
    ERR_clear_error()
    guard let ssl = SSL_new(context.pointer) else { throw TLSError.queued(.internalFailure) }
    let wire = WireBuffers()
    self.ssl = ssl
    self.wire = wire
    self.context = context
    self.host = host
    expectedIdentity = identity ?? context.identity
    guard let bio = WireBIO.make(over: wire) else { throw TLSError.queued(.internalFailure) }
    // The same BIO on both sides counts as one reference.
    SSL_set_bio(ssl, bio, bio)
    guard context.isClient else {
      SSL_set_accept_state(ssl)
      return
    }
    SSL_set_connect_state(ssl)
    SSL_set_ex_data(ssl, Self.applicationData, Unmanaged.passUnretained(self).toOpaque())
    if let host { try name(PeerName(host: host)) }
    if case .client(.automatic) = context.role {
      // OpenSSL ends the handshake before it asks, unless the server is trusted.
      self.identity = context.identity
      hasDecidedIdentity = true
    }
    if let session { offer(session) }
  }

  deinit {
    // Otherwise OpenSSL takes the missing close_notify for a reason to spoil the session.
    if failure == nil { SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
    SSL_free(ssl)
  }

  private func name(_ name: PeerName) throws(TLSError) {
    guard name.demand(in: SSL_get0_param(ssl)) else {
      throw TLSError.queued(.invalidConfiguration, otherwise: "the host cannot be in a certificate")
    }
    guard let indicated = name.indicatedName else { return }
    let accepted = indicated.withCString { text in
      SSL_ctrl(
        ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
        UnsafeMutableRawPointer(mutating: text))
    }
    guard accepted == 1 else { throw TLSError.queued(.invalidConfiguration) }
  }

  private func offer(_ session: TLSSession) {
    guard session.context === context, session.host == host, session.identity == expectedIdentity,
      session.isUsable
    else { return }
    guard SSL_set_session(ssl, session.pointer) == 1 else {
      ERR_clear_error()
      return
    }
    resumedTrust = session.trust
  }

  /// The engine of the handshake that OpenSSL calls back about.
  static func of(_ ssl: OpaquePointer?) -> TLSEngine? {
    guard let ssl, let data = SSL_get_ex_data(ssl, applicationData) else { return nil }
    return Unmanaged<TLSEngine>.fromOpaque(data).takeUnretainedValue()
  }

  /// The slot of `SSL_set_ex_data` that is reserved for applications.
  static let applicationData: Int32 = 0
}

extension TLSEngine {
  /// Lends ciphertext that came from the transport.
  ///
  /// The window must stay valid until `handshake()` or `read(into:)` asks for input, or until
  /// `keepUnreadInput()`; OpenSSL reads straight from it.
  package func feed(_ bytes: UnsafeRawBufferPointer) {
    wire.lend(bytes)
    isDrained = false
    isBehindHeader = false
  }

  /// Ends the loan of the window: copies its unused part. For a driver that pauses reading.
  package func keepUnreadInput() {
    wire.keepWindow()
  }

  /// Tells that the transport has ended. Without close_notify before it, the next `read(into:)` throws
  /// `.truncated`.
  package func endOfInput() {
    wire.end()
    isDrained = false
  }

  /// Whether there is input that `read(into:)` has not given out: plaintext, an end, or a record of which a part has come.
  package var hasUnreadInput: Bool {
    wire.unreadCount > 0 || SSL_has_pending(ssl) == 1 || owesEnd || isBehindHeader
  }

  /// Ciphertext to send; valid until the next call.
  package var output: UnsafeRawBufferPointer { wire.output }

  /// Drops the first `count` bytes of `output`.
  package func outputSent(_ count: Int) {
    wire.dropOutput(count)
  }

  /// More than any server sends at once; beyond, the oldest go.
  private static let sessionLimit = 8

  /// The sessions that the server gave since the last call, oldest first, for a cache to keep. With TLS 1.3 they
  /// come behind the handshake, beside the first response, so ask when a response has ended.
  package func takeSessions() -> [TLSSession] {
    guard hasSessions else { return [] }
    hasSessions = false
    defer { receivedSessions = [] }
    return receivedSessions
  }

  /// Called by OpenSSL in the middle of a handshake or a read.
  func receive(session: OpaquePointer) {
    if receivedSessions.count == Self.sessionLimit { receivedSessions.removeFirst() }
    hasSessions = true
    receivedSessions.append(
      TLSSession(
        owning: session, host: host, context: context, trust: serverTrust,
        identity: wasResumed ? expectedIdentity : identity))
  }
}
