import BluebonnetHTTP1
import BluebonnetTLS

/// What an exchange tells whoever drives it, always while the loop is held.
package protocol ExchangeClient: AnyObject {
  /// Who waits for a connection is served by this: the higher first.
  var urgency: Float { get }

  /// An interim response (RFC 9110 §15.2) has come; the final one follows.
  func exchange(_ exchange: Exchange, didReceiveInterim head: ResponseHead)

  /// - Parameter bodyLength: the number of body bytes to come as delivered; nil when unknown or coded.
  func exchange(_ exchange: Exchange, didReceive head: ResponseHead, bodyLength: Int?)

  /// Whether the body is going to be kept in memory as a whole. Asked before the head is told, and of coded bodies only.
  func keepsBody(of exchange: Exchange) -> Bool

  /// The bytes are valid during the call only, unless their buffer is kept (`Exchange.retainBuffer(for:)`).
  func exchange(_ exchange: Exchange, didReceiveBody bytes: UnsafeRawBufferPointer)

  func exchange(_ exchange: Exchange, didSendBody count: Int)

  /// The server goes on in another protocol: the channel is the client's, who closes it. The exchange's end follows.
  func exchange(_ exchange: Exchange, didUpgrade upgrade: ChannelUpgrade)

  /// Who is asked about servers. What another has accepted is evaluated again; nil stands for the default verification.
  var trustEvaluator: AnyObject? { get }

  /// A TLS connection awaits a decision, a new one or one that was let in by another evaluator; nothing of the request has
  /// been sent.
  ///
  /// - Parameter decision: may be called at once or later, from any thread, once.
  func exchange(
    _ exchange: Exchange, evaluate trust: ServerTrust, decision: @escaping @Sendable (TrustDecision) -> Void)

  /// The last call.
  func exchange(_ exchange: Exchange, didFinishWith error: TransportError?)
}

extension ExchangeClient {
  package var trustEvaluator: AnyObject? { nil }
  package func keepsBody(of exchange: Exchange) -> Bool { false }
  package var urgency: Float { 0.5 }

  package func exchange(_ exchange: Exchange, didReceiveInterim head: ResponseHead) {}

  /// Who has not asked for another protocol speaks none.
  package func exchange(_ exchange: Exchange, didUpgrade upgrade: ChannelUpgrade) { upgrade.channel.close() }
}

/// The answer to a server's certificate chain.
package enum TrustDecision: Sendable {
  /// Go by the context's own verification.
  case performDefault
  case accept
  case reject
}
