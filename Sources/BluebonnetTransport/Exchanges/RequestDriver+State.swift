// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// Everything about a request's way that changes.
struct RequestDriverState: ~Copyable {
  enum Stage {
    case initial
    case waiting
    /// A connection is being made or let in.
    case settingUp(ConnectionSetup)
    case exchanging(Connection)
    case finished
  }

  var stage = Stage.initial
  var client: (any ExchangeClient)?
  var metrics = ExchangeMetrics()

  // Where it is served.
  /// Another one if it was forgotten before this request asked it for a connection.
  var group: EndpointGroup
  /// The lease that takes the connection at the end of the response; nil for the pool.
  var lease: ConnectionLease?
  /// Whether the request's identity at a server that asks for a certificate is decided, and not only foreseen. Of several requests
  /// with one identity, one may have been asked and another not.
  var isIdentified = false
  /// Since when it has waited for a connection.
  var waitingSince = MonotonicTime.distantFuture
  var wasReplayed = false

  // Time.
  var budget: TimeBudget
  var timer = DeadlineTimer()
  var uploadTimer: TimerToken?

  // The bodies.
  var upload = UploadMeter()
  /// Whether the response's body flows.
  var flow = BodyFlow()
  /// Whether its connection's response is held back, as its group knows.
  var isCountedAsHeld = false
  var decoding: BodyDecoding?

  init(client: any ExchangeClient, group: EndpointGroup, lease: ConnectionLease?, timeouts: Timeouts) {
    self.client = client
    self.group = group
    self.lease = lease
    budget = TimeBudget(timeouts)
  }
}
