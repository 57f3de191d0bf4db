import BluebonnetHTTP1
import BluebonnetTLS

/// What an exchange tells the floor above, always while the loop is held.
package protocol ExchangeClient: AnyObject {
  /// Who waits for a connection is served by this: the higher first.
  var urgency: Float { get }

  /// An interim response (RFC 9110 §15.2) has come; the final one follows.
  func exchange(_ exchange: Exchange, didReceiveInterim head: ResponseHead)

  /// - Parameter bodyLength: the number of body bytes to come as delivered; nil when unknown or coded.
  func exchange(_ exchange: Exchange, didReceive head: ResponseHead, bodyLength: Int?)

  /// The bytes are valid during the call only, unless their buffer is kept (`Exchange.keepBuffer(for:)`).
  func exchange(_ exchange: Exchange, didReceiveBody bytes: UnsafeRawBufferPointer)

  func exchange(_ exchange: Exchange, didSendBody count: Int)

  /// A new TLS connection awaits judgement; nothing of the request has been sent.
  ///
  /// - Parameter verdict: may be called at once or later, from any thread, once.
  func exchange(
    _ exchange: Exchange, judge trust: ServerTrust, verdict: @escaping @Sendable (TrustVerdict) -> Void)

  /// The last call.
  func exchange(_ exchange: Exchange, didFinishWith error: TransportError?)
}

extension ExchangeClient {
  package var urgency: Float { 0.5 }

  package func exchange(_ exchange: Exchange, didReceiveInterim head: ResponseHead) {}
}

/// The answer to a server's certificate chain.
package enum TrustVerdict: Sendable {
  /// Go by the context's own verification.
  case performDefault
  case accept
  case reject
}
