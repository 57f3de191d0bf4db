// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// A replacement for name lookup, sockets and TLS of a pool: for tests of the layers above.
///
/// Called in loop context. The peer is taken to be the origin of the route, securely if the route is secure.
package typealias Dial = @Sendable (_ route: Route, _ loop: EventLoop) -> DialOutcome

/// The outcome of a call.
package enum DialOutcome {
  /// A channel to the origin's stand-in; it has no owner.
  case connected(any Channel)
  case failed(ConnectError)
  /// No answer, and no refusal.
  case silence
}
