// SPDX-License-Identifier: MIT
import Bluebonnet
import Synchronization

/// One attempt at a transfer: its requests, one after the other, and their responses.
///
/// The session's queue is serial and writing blocks it, so a slow reader slows the download down.
final class Transfer: URLSessionDataDelegate, URLSessionTransmissionDelegate {
  struct State: ~Copyable {
    var output: TransferOutput
    var facts = TransferFacts()
    var hop: Hop
    /// The server that answers the hop: a proxy by its address, an origin by its host and port.
    var server = ""
    var task: URLSessionDataTask?
    /// The fate of the body being received.
    var use = Hop.BodyUse.written
    /// The target of a redirect; nil unless there is one to follow.
    var next: Hop?
    /// There is nothing more to wait for: what cancelling the task brings is no failure.
    var isDone = false
    var continuation: CheckedContinuation<Void, Never>?
    /// Bytes that the limit of the rate does not allow yet.
    var pace = Pace()
    var lowSpeed: LowSpeedLimit?
    /// The connection of the hop, for `-v`.
    var connection = ConnectionLog()
  }

  let plan: TransferPlan
  let context: TransferContext
  let requests: RequestBuilder
  let challenges: ChallengeResponder
  let state: Mutex<State>

  init(
    _ plan: TransferPlan, context: TransferContext, output: consuming OutputFile
  ) {
    self.plan = plan
    self.context = context
    requests = RequestBuilder(plan, cookies: context.cookies)
    challenges = ChallengeResponder(plan.operation)
    let stylesHeads =
      context.writesToTerminal && plan.place == .standardOutput && context.globals.stylesHeads
    state = Mutex(
      State(
        output: TransferOutput(plan, body: output, stylesHeads: stylesHeads),
        hop: Hop(first: plan), lowSpeed: LowSpeedLimit(plan.operation.output)))
  }

  var facts: TransferFacts { state.withLock { $0.facts } }

  /// Performs all requests and returns when everything is written.
  func run() async -> TransferFacts {
    let clock = Task { await watchClock() }
    context.meter.begin(plan.number)
    do throws(CommandError) {
      try await performAll()
    } catch {
      if context.trace.isOn { context.trace.info(error.message) }
      fail(error)
    }
    clock.cancel()
    state.withLock { state in
      state.facts.end = .now
      state.output.finish(&state.facts, warn: context.reporter.warn)
    }
    context.meter.end(plan.number, facts.progress)
    return facts
  }

  private func performAll() async throws(CommandError) {
    while true {
      let address = state.withLock { $0.hop.address }
      var settings = try SessionSettings(
        plan.operation, address: address, parallelLimit: context.globals.parallelLimit)
      let isAbsolute = address.scheme != "https" && settings.proxy?.takesAbsoluteForm == true
      let origin = "\(address.host.lowercased()):\(address.effectivePort)"
      let server = isAbsolute ? settings.proxy?.address ?? origin : origin
      if context.oldServers.contains(server) { settings.usesHTTP10 = true }
      state.withLock { ($0.server, $0.hop.usesHTTP10) = (server, settings.usesHTTP10) }
      let session = try await context.sessions.session(settings)
      try await perform(in: session, isAbsolute: isAbsolute, route: settings.route(to: address))
      let isFollowing = state.withLock { state in
        guard state.facts.error == nil, let next = state.next.take() else { return false }
        state.hop = next
        state.facts.redirects += 1
        state.facts.redirectTime = state.facts.elapsed
        (state.isDone, state.use) = (false, .written)
        return true
      }
      guard isFollowing else { return }
    }
  }

  private func perform(
    in session: URLSession, isAbsolute: Bool, route: ConnectionRoute
  ) async throws(CommandError) {
    let hop = state.withLock { $0.hop }
    let request = try requests.request(of: hop, isAbsolute: isAbsolute)
    let task = session.dataTask(with: request)
    task.delegate = self
    traceConnection { $0.begin(route, plan.operation, isFirst: context.trace.meets(route)) }
    await withCheckedContinuation { continuation in
      let isStopped = state.withLock { state in
        state.facts.method = hop.method
        state.facts.url = hop.address.shown
        state.facts.referrer = hop.referrer
        (state.facts.sent, state.facts.sentTotal) = (0, hop.sendsBody ? plan.content?.length : nil)
        state.continuation = continuation
        state.task = task
        return state.facts.error != nil
      }
      task.resume()
      if isStopped { task.cancel() }
    }
    state.withLock { $0.task = nil }
  }

  /// Writes lines of `-v`, if there is one.
  func traceConnection(_ lines: (inout ConnectionLog) -> [String]) {
    guard context.trace.isOn else { return }
    context.trace.info(state.withLock { lines(&$0.connection) })
  }

  /// Notes the first reason to fail, and stops.
  func fail(_ error: CommandError) {
    let task = state.withLock { state in
      if state.facts.error == nil { state.facts.error = error }
      return state.task
    }
    task?.cancel()
  }
}

extension Transfer {
  /// The part of a transfer that depends on time alone: limits, and progress.
  func watchClock() async {
    let limit = plan.operation.connection.timeLimit
    let interval: Duration = .milliseconds(100)
    var wait = limit.map { min(interval, .seconds($0)) } ?? interval
    while !Task.isCancelled {
      try? await Task.sleep(for: wait)
      guard !Task.isCancelled else { return }
      let facts = facts
      context.meter.update(plan.number, facts.progress)
      if let limit {
        let elapsed = facts.elapsed
        guard elapsed < limit else {
          let time = Decimals.fixed(limit * 1_000, 0)
          return failTimedOut(
            "timed out after \(time) milliseconds (--max-time) with \(facts.received) bytes received")
        }
        wait = min(interval, .seconds(limit - elapsed))
      }
      if let missed = missedSpeedLimit() {
        return failTimedOut(
          "is too slow: fewer than \(missed.bytesPerSecond) bytes a second for \(missed.seconds) seconds")
      }
    }
  }

  private func failTimedOut(_ reason: String) {
    let facts = facts
    fail(CommandError(.timedOut, "\(facts.method) \(RedactedURL(facts.url).short) \(reason)"))
  }

  private func missedSpeedLimit() -> LowSpeedLimit? {
    state.withLock { state in
      let isMissed = state.lowSpeed?.isMissed(with: state.facts.received + state.facts.sent) == true
      return isMissed ? state.lowSpeed : nil
    }
  }
}
