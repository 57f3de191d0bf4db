// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc

/// A transfer and its repetitions, and the messages at its end.
struct TransferAttempts: Sendable {
  let plan: TransferPlan
  let context: TransferContext

  init(_ plan: TransferPlan, _ context: TransferContext) {
    self.plan = plan
    self.context = context
  }

  func run() async -> ExitStatus {
    do throws(CommandError) {
      try emptyHeads()
      if let path = plan.operation.request.entityTagPlace, path != "-" {
        // Found out before, not after the transfer.
        let descriptor = open(ByteText.path(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
          throw CommandError(.readFailed, "cannot write to \(path): \(SystemText.ofError())")
        }
        close(descriptor)
      }
    } catch {
      context.reporter.report(error)
      return error.status
    }
    context.cookies.load(plan.operation.cookies)
    let status = await repeated()
    context.cookies.save(plan.operation.cookies)
    return status
  }

  /// Empties the file of `-D` before the operation's first transfer: without a head, it stays empty.
  private func emptyHeads() throws(CommandError) {
    guard plan.isFirstOfOperation, let path = plan.operation.output.headPath, path != "-" else { return }
    // The reader of a pipe must not see an end yet.
    guard !OutputFile.isSpecial(path) else { return }
    var file = OutputFile(.path(path))
    _ = try file.open()
    try file.close()
  }

  /// The most that a server is waited for between two attempts: a day, in seconds.
  private static let longestPause = 86_400.0

  private func repeated() async -> ExitStatus {
    let retry = plan.operation.retry
    var backoff = RetryPolicy(retry)
    let start = ContinuousClock.now
    var remains: OutputFile.Remains?
    while true {
      let options = plan.operation.output
      let existing: OutputFile.Existing =
        plan.resumesAt != nil && plan.content?.isUpload != true
        ? .continued : options.existing(otherwise: .overwritten)
      let output =
        if let remains { OutputFile(remains, mode: options.fileMode) } else {
          OutputFile(
            plan.place, existing: existing, mode: options.fileMode,
            createsDirectories: options.createsDirectories)
        }
      let transfer = Transfer(plan, context: context, output: output)
      let facts = await transfer.run()
      let elapsed = (ContinuousClock.now - start) / .seconds(1)
      let retryAfter = facts.response?.retryAfter().map { Int(min($0, Self.longestPause)) }
      if let wait = backoff.pause(
        status: facts.response?.statusCode, error: facts.error?.status, retryAfter: retryAfter,
        elapsed: elapsed)
      {
        guard canBeSentAgain(facts) else {
          context.reporter.warn("--retry: standard input may have been read, so there is no second attempt.")
          return conclude(facts, facts.remains ?? remains)
        }
        let problem = facts.error.map(\.message) ?? "HTTP error"
        context.reporter.warn(
          "\(problem.hasSuffix(".") ? problem : problem + ".") Try \(retry.count - backoff.left + 1) of "
            + "\(retry.count + 1) begins in \(wait) \(wait == 1 ? "second" : "seconds").")
        remains = facts.remains ?? remains
        // Heads by themselves stay, as with curl.
        do throws(CommandError) { if facts.received > 0 { try remains?.clear() } } catch {
          var facts = facts
          facts.error = error
          return conclude(facts, remains)
        }
        try? await Task.sleep(for: .seconds(wait))
        continue
      }
      return conclude(facts, facts.remains ?? remains)
    }
  }

  /// Standard input is read once: a transfer that may have read of it is not tried again.
  private func canBeSentAgain(_ facts: TransferFacts) -> Bool {
    guard case .standardInput = plan.content else { return true }
    return [.unresolvedHost, .unresolvedProxy, .refused].contains(facts.error?.status)
  }

  private func conclude(_ facts: TransferFacts, _ remains: OutputFile.Remains?) -> ExitStatus {
    var facts = facts
    if facts.error != nil, plan.operation.output.removesOnError { remains?.remove() }
    if let path = plan.operation.request.entityTagPlace, let tag = facts.entityTag {
      do throws(CommandError) { try keep(tag, at: path) } catch {
        if facts.error == nil { facts.error = error }
      }
    }
    if let error = facts.error { context.reporter.report(error) }
    let told = WriteOut.write(
      plan.operation.output, facts.variables(typed: plan.typed, number: plan.number))
    if let told, facts.error == nil { return told }
    return facts.error?.status ?? .success
  }

  /// Keeps the entity tag where `--etag-save` says.
  private func keep(_ tag: String, at path: String) throws(CommandError) {
    var file = OutputFile(path == "-" ? .standardOutput : .path(path))
    if tag.isEmpty { _ = try file.open() } else { try file.write(tag + "\n") }
    try file.close()
  }
}

/// Whether and when a transfer is tried again: a value.
struct RetryPolicy: Equatable, Sendable {
  private let options: RetryOptions
  private(set) var left: Int
  private var delay: Int

  /// Seconds.
  private static let longestDelay = 600

  init(_ options: RetryOptions) {
    self.options = options
    left = options.count
    delay = 1
  }

  /// Seconds until the next attempt; nil if there is none.
  ///
  /// - Parameters:
  ///   - status: Of the last response; nil without one.
  ///   - error: Why the transfer failed; nil if it did not.
  ///   - retryAfter: Seconds that the server wants to have.
  ///   - elapsed: Seconds since the first attempt began.
  mutating func pause(status: Int?, error: ExitStatus?, retryAfter: Int?, elapsed: Double) -> Int? {
    guard left > 0, isWorthRepeating(status, error) else { return nil }
    var wait = options.delay > 0 ? options.delay : delay
    if let retryAfter, retryAfter > 0 { wait = retryAfter }
    if options.timeLimit > 0, elapsed + Double(wait) > Double(options.timeLimit) { return nil }
    left -= 1
    if options.delay == 0 { delay = min(delay * 2, Self.longestDelay) }
    return wait
  }

  private func isWorthRepeating(_ status: Int?, _ error: ExitStatus?) -> Bool {
    switch error {
    case .timedOut, .unresolvedHost, .unresolvedProxy: return true
    case .refused: return options.includesRefusals || options.includesAll
    case nil, .errorStatus:
      if let status, [408, 429, 500, 502, 503, 504].contains(status) { return true }
      return options.includesAll && error != nil
    default: return options.includesAll
    }
  }
}
