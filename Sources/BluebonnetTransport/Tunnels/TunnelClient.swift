// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetSemantics

/// The user of a tunnel, told of its progress, always while the loop is held.
protocol TunnelClient: AnyObject {
  /// A phase begins; each time its time limit begins anew. Nil while an answer of the caller's is waited for.
  ///
  /// - Returns: Until when it may take.
  func entered(_ phase: LoadingPhase?) -> MonotonicTime?
  /// A head that answers CONNECT, an interim one included.
  func tunnelReceived(_ head: ResponseHead)
  /// The tunnel depends on an answer.
  func decide(_ question: ConnectionQuestion)
}

/// A channel that leads to the target, and the bytes received over it already. It has no owner.
struct OpenTunnel {
  let channel: ConnectedChannel
  let unread: [UInt8]
  /// Whether it was opened with credentials for the one request.
  var servesOneRequest = false
}
