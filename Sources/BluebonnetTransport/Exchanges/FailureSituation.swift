// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// A failure of a request, and the facts around it: the rest of its description follows from them.
struct FailureSituation {
  fileprivate let cause: TransportError.Cause
  private let isProxied: Bool
  private let asksProxy: Bool
  /// The next hop is not reached yet, or has not let the connection through.
  var isOnItsWay = false
  /// The connections that it waited for, of a time-out.
  var congestion: Congestion?
  /// A connection serves the request.
  var isServed = false
  /// That of a request that is served, unless it is bound to its connection.
  var replay: ReplayPolicy.Situation?
  /// The connection could send more of the body than the body gives.
  var awaitsBody = false
  /// The lines of the response's head before the one that broke a rule.
  var linesBeforeFault: [UInt8] = []

  init(of cause: TransportError.Cause, over route: Route) {
    self.cause = cause
    isProxied = route.proxy != nil
    asksProxy = if case .proxy = route.nextHop { true } else { false }
  }

  var isTimeout: Bool {
    if case .timedOut = cause { true } else { false }
  }

  fileprivate var isMalformed: Bool {
    if case .malformed = cause { true } else { false }
  }

  /// Whether it is the proxy that is spoken to.
  fileprivate var isOfProxy: Bool {
    if isOnItsWay { return isProxied }
    // An answer to the absolute form comes from the proxy, whatever its origin.
    guard isServed, asksProxy else { return false }
    return switch cause {
    case .noResponse, .truncated, .network, .malformed, .securePort, .tls: true
    default: false
    }
  }

  /// Why the body kept the request from being sent once more; nil if that had nothing to do with it.
  fileprivate func replayObstacle(of body: RequestBody) -> String? {
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
  init(_ situation: FailureSituation, during phase: Phase, of request: ExchangeRequest) {
    let isTimeout = situation.isTimeout
    self.init(
      situation.cause, during: phase,
      seconds: isTimeout ? request.timeouts.limit(of: phase).map { Double($0) / 1e9 } : nil,
      congestion: situation.congestion, replayObstacle: situation.replayObstacle(of: request.body),
      awaitedBody: isTimeout && phase == .sending && situation.awaitsBody, isOfProxy: situation.isOfProxy,
      linesBeforeFault: situation.isMalformed ? situation.linesBeforeFault : [])
  }
}
