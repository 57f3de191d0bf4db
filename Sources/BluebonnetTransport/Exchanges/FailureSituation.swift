import BluebonnetHTTP1

/// What is known around the failure of a request, beside its cause. From it follows what else there is to say.
struct FailureSituation {
  private let isProxied: Bool
  private let asksProxy: Bool
  /// The next hop is not reached yet, or has not let the connection through.
  var isOnItsWay = false
  /// What it waited for that others have.
  var congestion: Congestion?
  /// That of a request that is served, unless it is bound to its connection.
  var replay: ReplayPolicy.Situation?
  /// The connection could send more of the body than the body gives.
  var awaitsBody = false
  /// The lines of the response's head before the one that broke a rule.
  var linesBeforeFault: [UInt8] = []
  /// A connection serves the request.
  var isServed = false

  init(over route: Route) {
    isProxied = route.proxy != nil
    asksProxy = if case .proxy = route.nextHop { true } else { false }
  }

  /// Whether it is the proxy that is spoken to.
  fileprivate func isOfProxy(_ cause: TransportError.Cause) -> Bool {
    if isOnItsWay { return isProxied }
    // An answer to the absolute form comes from the proxy, whatever its origin.
    guard isServed, asksProxy else { return false }
    return switch cause {
    case .noResponse, .truncated, .network, .malformed, .tls: true
    default: false
    }
  }

  /// Why the body kept the request from being sent once more; nil if that had nothing to do with it.
  fileprivate func replayObstacle(of body: RequestBody, to cause: TransportError.Cause) -> String? {
    guard var replay, case .source(let source) = body, !source.canRewind else { return nil }
    switch cause {
    case .noResponse, .network: break
    case .malformed(let error) where error.rule == .unsolicitedResponse: replay.anyResponseByte = false
    default: return nil
    }
    replay.bodyIsReplayable = true
    return ReplayPolicy.allowsReplay(replay) ? source.replayObstacle : nil
  }
}

extension TransportError {
  /// - Parameter request: The one that failed.
  init(_ cause: Cause, during phase: Phase, of request: ExchangeRequest, in situation: FailureSituation) {
    let isTimeout = if case .timedOut = cause { true } else { false }
    let isMalformed = if case .malformed = cause { true } else { false }
    self.init(
      cause, during: phase,
      seconds: isTimeout ? request.timeouts.limit(of: phase).map { Double($0) / 1e9 } : nil,
      congestion: isTimeout ? situation.congestion : nil,
      replayObstacle: situation.replayObstacle(of: request.body, to: cause),
      awaitedBody: isTimeout && phase == .sending && situation.awaitsBody,
      isOfProxy: situation.isOfProxy(cause),
      linesBeforeFault: isMalformed ? situation.linesBeforeFault : [])
  }
}
