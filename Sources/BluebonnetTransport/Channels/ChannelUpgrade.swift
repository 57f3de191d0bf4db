// SPDX-License-Identifier: MIT

/// A connection that has stopped speaking HTTP/1.1, on its way to a user of another protocol: after a 101
/// (RFC 9110 §7.8), or a 2xx to CONNECT (§9.3.6).
///
/// The channel is open and has no owner. The receiver has to close it.
package struct ChannelUpgrade {
  package let channel: any Channel
  /// The bytes received behind the response's head: the first ones of the other protocol.
  package let unread: [UInt8]
}
