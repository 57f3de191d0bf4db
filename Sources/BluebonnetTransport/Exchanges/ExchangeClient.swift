import BluebonnetHTTP1
import BluebonnetTLS

/// Whoever wants an exchange of request and response, and is told how it goes, always while the loop is held.
package protocol ExchangeClient: AnyObject {
  /// Who waits for a connection is served by this: the higher first.
  var urgency: Float { get }

  /// A request's head goes out over this connection, as it is here. Told only if the request asks for it.
  func exchange(
    _ exchange: RequestDriver, didSend head: [UInt8], over connection: ConnectionFacts?, isReused: Bool)

  /// An interim response (RFC 9110 §15.2) has come; the final one follows.
  func exchange(_ exchange: RequestDriver, didReceiveInterim head: ResponseHead)

  /// A proxy has answered to being asked for a tunnel (RFC 9110 §9.3.6), perhaps for now only: a connection is being made.
  func exchange(_ exchange: RequestDriver, didReceiveFromProxy head: ResponseHead)

  /// A proxy wants to know who is asking for a tunnel.
  ///
  /// - Parameter answer: may be called at once or later, from any thread, once; nil lets the refusal stand.
  func exchange(
    _ exchange: RequestDriver, isAskedBy challenge: ProxyChallenge, in head: ResponseHead,
    answer: @escaping @Sendable (ProxyAnswer?) -> Void)

  /// - Parameter bodyLength: the number of body bytes to come as delivered; nil when unknown or coded.
  func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?)

  /// Whether the body is going to be kept in memory as a whole. Asked before the head is told, and of coded bodies only.
  func keepsBody(of exchange: RequestDriver) -> Bool

  /// The bytes are valid during the call only, unless their buffer is kept (`RequestDriver.retainBuffer(for:)`).
  func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer)

  /// Fields behind the body (RFC 9110 §6.5), where there are any. Told once all of it is here, coded as it may be.
  func exchange(_ exchange: RequestDriver, didReceiveTrailers fields: FieldBlock)

  func exchange(_ exchange: RequestDriver, didSendBody count: Int)

  /// The server goes on in another protocol: the channel is the client's, who closes it. The exchange's end follows.
  ///
  /// This is told from inside a read. What is handed over is to be read only after this call has returned: until then the
  /// loop's receive buffer is lent.
  func exchange(_ exchange: RequestDriver, didUpgrade upgrade: ChannelUpgrade)

  /// Who is to be asked about servers. What another has accepted is evaluated again; nil stands for the default
  /// verification.
  var trustEvaluator: AnyObject? { get }

  /// A TLS connection awaits a decision, a new one or one that was let in by another evaluator; nothing of the request has
  /// been sent.
  ///
  /// - Parameters:
  ///   - evaluator: Who is to be asked: what `trustEvaluator` was when the question came up. The connection serves those
  ///     without a further question who have the same one, so nobody else may be asked in its place.
  ///   - decision: may be called at once or later, from any thread, once.
  func exchange(
    _ exchange: RequestDriver, evaluate trust: ServerTrust, by evaluator: AnyObject?,
    decision: @escaping @Sendable (TrustDecision) -> Void)

  /// The server asks for a certificate and has been let in, by now or for an earlier request; nothing of the request has
  /// been sent.
  ///
  /// - Parameter answer: may be called at once or later, from any thread, once; nil for none.
  func exchange(
    _ exchange: RequestDriver, isAskedForCertificate request: CertificateRequest,
    answer: @escaping @Sendable (TLSIdentity?) -> Void)

  /// The last call.
  func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?)
}

extension ExchangeClient {
  package var trustEvaluator: AnyObject? { nil }
  package func keepsBody(of exchange: RequestDriver) -> Bool { false }
  package var urgency: Float { 0.5 }

  package func exchange(
    _ exchange: RequestDriver, didSend head: [UInt8], over connection: ConnectionFacts?, isReused: Bool
  ) {}

  package func exchange(_ exchange: RequestDriver, didReceiveInterim head: ResponseHead) {}

  package func exchange(_ exchange: RequestDriver, didReceiveFromProxy head: ResponseHead) {}

  package func exchange(
    _ exchange: RequestDriver, isAskedBy challenge: ProxyChallenge, in head: ResponseHead,
    answer: @escaping @Sendable (ProxyAnswer?) -> Void
  ) {
    answer(nil)
  }

  package func exchange(
    _ exchange: RequestDriver, isAskedForCertificate request: CertificateRequest,
    answer: @escaping @Sendable (TLSIdentity?) -> Void
  ) {
    answer(nil)
  }

  package func exchange(_ exchange: RequestDriver, didReceiveTrailers fields: FieldBlock) {}

  /// Who has not asked for another protocol speaks none.
  package func exchange(_ exchange: RequestDriver, didUpgrade upgrade: ChannelUpgrade) {
    upgrade.channel.close()
  }
}
