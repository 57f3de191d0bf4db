/// A connection that has stopped speaking HTTP/1.1, on its way to whoever goes on in another protocol: after a 101
/// (RFC 9110 §7.8), or a 2xx to CONNECT (§9.3.6).
///
/// The channel is open, has no owner, and is nobody's but the receiver's, who closes it.
package struct ChannelUpgrade {
  package let channel: any Channel
  /// What came behind the response's head: the first bytes of the other protocol.
  package let unread: [UInt8]
}
