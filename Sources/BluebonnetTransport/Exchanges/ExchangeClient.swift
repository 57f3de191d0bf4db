// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetTLS

/// The owner of an exchange of request and response, told of its progress, always while the loop is held.
package protocol ExchangeClient: AnyObject {
  /// The order among requests waiting for a connection: the higher first.
  var urgency: Float { get }

  /// A request's head goes out over this connection, as it is here. Told only if the request asks for it.
  func exchange(
    _ exchange: RequestDriver, didSend head: [UInt8], over connection: ConnectionFacts?, isReused: Bool)

  /// An interim response (RFC 9110 §15.2) has come; the final one follows.
  func exchange(_ exchange: RequestDriver, didReceiveInterim head: ResponseHead)

  /// A proxy has answered to being asked for a tunnel (RFC 9110 §9.3.6), perhaps for now only: a connection is being made.
  func exchange(_ exchange: RequestDriver, didReceiveFromProxy head: ResponseHead)

  /// A proxy requires authentication for a tunnel.
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

  /// The server switched protocols: the channel is now the client's, to be closed by it. The exchange's end follows.
  ///
  /// Called from inside a read. The channel is to be read only after this call has returned: until then the
  /// loop's receive buffer is lent.
  func exchange(_ exchange: RequestDriver, didUpgrade upgrade: ChannelUpgrade)

  /// The evaluator of servers' trust. A connection accepted by another one is evaluated again; nil stands for the default
  /// verification.
  var trustEvaluator: AnyObject? { get }

  /// A TLS connection awaits a decision, a new one or one that was let in by another evaluator; nothing of the request has
  /// been sent.
  ///
  /// - Parameters:
  ///   - evaluator: `trustEvaluator` as it was when the question came up. The connection then serves requests of the same
  ///     evaluator without a further question, so no other may decide in its place.
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
  func decide(_ question: ConnectionQuestion, for exchange: RequestDriver) {
    switch question {
    case .proxy(let challenge, let head, let answer):
      self.exchange(exchange, isAskedBy: challenge, in: head, answer: answer)
    case .trust(let trust, let evaluator, let decision):
      self.exchange(exchange, evaluate: trust, by: evaluator, decision: decision)
    case .certificate(let request, let answer):
      self.exchange(exchange, isAskedForCertificate: request, answer: answer)
    }
  }

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

  /// A client that has not asked for another protocol speaks none.
  package func exchange(_ exchange: RequestDriver, didUpgrade upgrade: ChannelUpgrade) {
    upgrade.channel.close()
  }
}
