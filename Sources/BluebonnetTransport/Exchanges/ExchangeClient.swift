import BluebonnetHTTP1
import BluebonnetTLS

/// What an exchange tells the floor above, always while the loop is held.
package protocol ExchangeClient: AnyObject {
  /// - Parameter bodyLength: the number of body bytes to come as delivered; nil when unknown or coded.
  func exchange(_ exchange: Exchange, didReceive head: ResponseHead, bodyLength: Int?)

  /// The bytes are valid during the call only, unless their buffer is kept (`Exchange.keepBuffer(for:)`).
  func exchange(_ exchange: Exchange, didReceiveBody bytes: UnsafeRawBufferPointer)

  func exchange(_ exchange: Exchange, didSendBody count: Int)

  /// Who is asked about servers. What another has accepted is judged again; nil stands for the default verification.
  var judge: AnyObject? { get }

  /// A TLS connection awaits judgement, a new one or one that was let in by another judge; nothing of the request has
  /// been sent.
  ///
  /// - Parameter verdict: may be called at once or later, from any thread, once.
  func exchange(
    _ exchange: Exchange, judge trust: ServerTrust, verdict: @escaping @Sendable (TrustVerdict) -> Void)

  /// The last call.
  func exchange(_ exchange: Exchange, didFinishWith error: TransportError?)
}

extension ExchangeClient {
  package var judge: AnyObject? { nil }
}

/// The answer to a server's certificate chain.
package enum TrustVerdict: Sendable {
  /// Go by the context's own verification.
  case performDefault
  case accept
  case reject
}
