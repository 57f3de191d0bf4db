// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1

/// Everything about a connection that changes.
struct ConnectionState: ~Copyable {
  var owner: any ConnectionOwner
  var isOpen = true
  /// The client that this connection serves; nil while idle.
  var client: (any ConnectionClient)?
  /// The next turn at reading, or at sending, is in the loop's mailbox.
  var readsLater = false
  var sendsLater = false

  /// The state of HTTP/1.1: bytes to send, bytes received, and whether another request may follow.
  var http: HTTP1Exchange

  // The response.
  /// Its head has come.
  var hasHead = false
  /// Response bytes behind which more are needed before they mean something.
  var unread: [UInt8] = []
  /// The number of bytes at their front that are body, parsed and not delivered.
  var parsedBody = 0
  /// The lines of the head before the one that broke a rule.
  var linesBeforeFault: [UInt8] = []
  var pace = ReadPace()
  var paceTimer: TimerToken?

  // The request.
  /// Its head as it goes over this route, and its body.
  var head: [UInt8] = []
  var body = RequestBody.none
  /// Set while the server is asked for a 100, and perhaps a while longer.
  var continueTimer: TimerToken?
  /// The kernel has all of it, or it is given up. What a channel has taken may still wait there.
  var isRequestSent = true
  /// Why the channel takes no more of it. What the server said before may still come.
  var sendError: SystemError?

  // The connection's life.
  var served = 0
  var facts: ConnectionFacts?
  /// The evaluator that accepted the server, under the route's name for it.
  var evaluator: EvaluatorReference?
  /// Although the default verification refuses it.
  var isUnverified = false

  init(owner: any ConnectionOwner, http: HTTP1Exchange, facts: ConnectionFacts?) {
    self.owner = owner
    self.http = http
    self.facts = facts
  }

  mutating func stopServing() {
    client = nil
    head = []
    body = .none
    unread = []
    parsedBody = 0
  }
}
