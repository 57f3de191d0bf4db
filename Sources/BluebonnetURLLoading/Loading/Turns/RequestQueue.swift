// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

/// A load that waits for its turn in a queue of requests. Called in loop context.
protocol TurnTaking: AnyObject {
  /// The order of waiters: the higher first.
  var urgency: Float { get }
  /// Whether the caller has suspended it.
  var isSuspended: Bool { get }
  /// The request may go.
  func turnHasCome()
  /// The request has waited for longer than it may, and why.
  func waitedTooLong(_ reason: String)
}

/// Lets the requests of a session go when it is their turn. Only sessions that limit their requests have one.
///
/// It is touched only while the loop is held.
final class RequestQueue {
  /// A load's place in the queue.
  private struct Wait {
    let load: any TurnTaking
    let host: String
    /// It does not wait while the caller has suspended it.
    var isPaused = false
    var timer: TimerToken?
  }

  private struct State {
    var turns: RequestTurns<ObjectIdentifier, String>
    var waits: [ObjectIdentifier: Wait] = [:]
    var isServing = false
  }

  private let loop: EventLoop
  /// The time that a load may wait, in seconds and nanoseconds; nil for no limit.
  private let limit: (seconds: Double, nanoseconds: UInt64)?
  private var state: State

  /// - Returns: nil where nothing is limited.
  init?(_ settings: URLSessionConfiguration.Settings, loop: EventLoop) {
    if settings.requestLimit == nil, settings.requestLimitPerHost == nil { return nil }
    self.loop = loop
    limit = settings.timeoutIntervalForWaiting.flatMap { seconds in
      Timeouts.nanoseconds(seconds).map { (seconds, $0) }
    }
    state = State(
      turns: RequestTurns(limit: settings.requestLimit, limitPerHost: settings.requestLimitPerHost))
  }

  /// The load has a request for a host. It is told when that may go, perhaps at once.
  func ask(_ load: any TurnTaking, for host: String) {
    let name = ObjectIdentifier(load)
    // Another request of the same load, after a redirect or a challenge, goes in its place.
    if state.turns.isUnderWay(name, to: host) { return load.turnHasCome() }
    stopWaiting(name)
    state.turns.join(name, to: host, urgency: load.urgency)
    state.waits[name] = Wait(load: load, host: host)
    if load.isSuspended { pause(load) } else { startTimer(name) }
    serve()
  }

  /// The load has no request under way for now, and may have one later.
  func rest(_ load: any TurnTaking) {
    stopWaiting(ObjectIdentifier(load))
    state.turns.rest(ObjectIdentifier(load))
    serve()
  }

  /// The load has come to its end, whether its turn had come or not.
  func leave(_ load: any TurnTaking) {
    stopWaiting(ObjectIdentifier(load))
    state.turns.leave(ObjectIdentifier(load))
    serve()
  }

  /// The load is suspended: if it waits, others go before it.
  func pause(_ load: any TurnTaking) {
    let name = ObjectIdentifier(load)
    guard var wait = state.waits[name], !wait.isPaused else { return }
    if let timer = wait.timer.take() { loop.cancel(timer) }
    wait.isPaused = true
    state.waits[name] = wait
    state.turns.rest(name)
    serve()
  }

  /// The load has been resumed: it waits where it was, and its time begins anew.
  func goOn(_ load: any TurnTaking) {
    let name = ObjectIdentifier(load)
    guard let wait = state.waits[name], wait.isPaused else { return }
    state.waits[name]?.isPaused = false
    state.turns.join(name, to: wait.host, urgency: load.urgency)
    startTimer(name)
    serve()
  }

  func urgencyChanged(of load: any TurnTaking) {
    state.turns.setUrgency(load.urgency, of: ObjectIdentifier(load))
  }

  /// The number of loads that wait, without those that are suspended.
  var waitingCount: Int { state.waits.values.count { !$0.isPaused } }

  func isWaiting(_ load: any TurnTaking) -> Bool { state.waits[ObjectIdentifier(load)] != nil }

  /// One after the other, rather than each by the one before: a request that fails at once makes room at once.
  private func serve() {
    guard !state.isServing else { return }
    state.isServing = true
    defer { state.isServing = false }
    while let next = state.turns.next() {
      guard let load = stopWaiting(next) else {
        assertionFailure("a waiting request is in the queue")
        continue
      }
      load.turnHasCome()
    }
  }

  @discardableResult
  private func stopWaiting(_ name: ObjectIdentifier) -> (any TurnTaking)? {
    guard let wait = state.waits.removeValue(forKey: name) else { return nil }
    if let timer = wait.timer { loop.cancel(timer) }
    return wait.load
  }

  private func startTimer(_ name: ObjectIdentifier) {
    guard let limit else { return }
    // Taken back when the wait ends, so it keeps nothing alive for longer.
    state.waits[name]?.timer = loop.schedule(at: loop.now.adding(.nanoseconds(limit.nanoseconds))) {
      [weak self] in self?.waitedTooLong(name, limit.seconds)
    }
  }

  private func waitedTooLong(_ name: ObjectIdentifier, _ seconds: Double) {
    guard let wait = state.waits[name] else { return }
    state.waits[name]?.timer = nil
    let obstacle =
      switch state.turns.obstacle(of: name) {
      case .host(let limit)?:
        "as many requests to \(wait.host) are under way as may be, \(limit) (requestLimitPerHost)"
      case .session(let limit)?:
        "as many requests of the session are under way as may be, \(limit) (requestLimit)"
      case nil: "others go before it"
      }
    wait.load.waitedTooLong(
      "it was not its turn for \(seconds.asSeconds) (timeoutIntervalForWaiting); \(obstacle)")
  }
}
