import BluebonnetEventLoop

/// What stands in for name lookup, sockets and TLS where a pool has it: for tests of whatever is above.
///
/// Called in loop context. What it connects to is taken to be the origin of the route, securely if the route is secure.
package typealias Dial = @Sendable (_ route: Route, _ loop: EventLoop) -> DialOutcome

/// What came of a call.
package enum DialOutcome {
  /// A channel to whoever speaks for the origin; it has no owner.
  case connected(any Channel)
  case failed(ConnectError)
  /// Nobody answers, and nobody refuses.
  case silence
}
