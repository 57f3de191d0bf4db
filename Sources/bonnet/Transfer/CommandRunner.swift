// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc
import Synchronization

/// Runs the transfers of a command, one after the other or several at once.
final class CommandRunner: Sendable {
  private let command: Command
  private let context: TransferContext
  private let files: BodyFiles

  init(_ command: Command, files: BodyFiles) {
    self.command = command
    self.files = files
    let globals = command.globals
    let writesToTerminal = isatty(STDOUT_FILENO) == 1
    let writesBodies = command.operations.contains {
      $0.outputs.count < $0.urls.count && !$0.namesAllRemotely
    }
    context = TransferContext(
      globals: globals, sessions: SessionPool(),
      trace: Trace(globals, showsBodies: writesBodies && writesToTerminal), reporter: Reporter(globals),
      cookies: CookieStore(warn: Reporter(globals).warn),
      meter: Meter(globals, isShown: !(writesBodies && writesToTerminal)), writesToTerminal: writesToTerminal)
  }

  func run() async -> ExitStatus {
    command.warnings.forEach(context.reporter.warn)
    let clock = Task { [context] in await context.meter.run() }
    let status = await runAll()
    clock.cancel()
    context.meter.finish()
    await context.sessions.finish()
    return status
  }

  private func runAll() async -> ExitStatus {
    var planner = TransferPlanner(files: files, length: InputFile.length)
    var status = ExitStatus.success
    var running = RunningTransfers()
    do throws(CommandError) {
      for operation in command.operations {
        planner.isAtBeginningOfOperation = true
        if operation.outputs.count > operation.urls.count {
          context.reporter.warn("there are more outputs than URLs")
        }
        let patterns = try TransferPlanner.steps(of: operation)
        for (index, pair) in patterns.enumerated() {
          let hasUpload = index < operation.uploads.count
          for uploadIndex in 0..<pair[1].count {
            for matchIndex in 0..<pair[0].count {
              let upload = hasUpload ? pair[1][uploadIndex].text : nil
              let match = pair[0][matchIndex]
              do throws(CommandError) {
                let plan = try planner.plan(
                  operation, index, match, upload: upload, warn: context.reporter.warn)
                if let ended = await start(plan, &running) { status = ended }
              } catch  where error.status != .usage {
                status = error.status
                context.reporter.report(error)
                let facts = TransferFacts(error, typed: match.text, of: operation, uploads: hasUpload)
                _ = WriteOut.write(
                  operation.output, facts.variables(typed: match.text, number: planner.next - 1))
                // The others may have better addresses.
                guard error.isOfAddress else {
                  _ = await finish(&running, status)
                  return status
                }
              }
              if status != .success, command.globals.failsEarly {
                return await finish(&running, status)
              }
            }
          }
        }
      }
    } catch {
      context.reporter.report(error)
      status = await finish(&running, error.status)
      return error.status
    }
    return await finish(&running, status)
  }

  /// - Returns: How a transfer ended, if one has.
  private func start(_ plan: TransferPlan, _ running: inout RunningTransfers) async -> ExitStatus? {
    if let interval = command.globals.minimumInterval, let last = running.lastStart {
      try? await Task.sleep(until: last + interval, clock: .continuous)
    }
    running.lastStart = .now
    guard command.globals.isParallel else { return await TransferAttempts(plan, context).run() }
    var ended: ExitStatus?
    if running.count >= command.globals.parallelLimit { ended = await running.next() }
    running.add(TransferAttempts(plan, context))
    return ended
  }

  private func finish(_ running: inout RunningTransfers, _ status: ExitStatus) async -> ExitStatus {
    var status = status
    while let ended = await running.next() { if ended != .success { status = ended } }
    return status
  }
}

/// Transfers that run at the same time.
private struct RunningTransfers {
  private(set) var count = 0
  var lastStart: ContinuousClock.Instant?
  private let ends = AsyncStream<ExitStatus>.makeStream()

  mutating func add(_ attempts: TransferAttempts) {
    count += 1
    Task { [end = ends.continuation] in end.yield(await attempts.run()) }
  }

  /// Waits until one has ended, whichever it is; nil if there is none.
  mutating func next() async -> ExitStatus? {
    guard count > 0 else { return nil }
    count -= 1
    var statuses = ends.stream.makeAsyncIterator()
    return await statuses.next()
  }
}

extension CommandError {
  /// The URL is at fault, and nothing else.
  fileprivate var isOfAddress: Bool {
    status == .badURL || status == .unsupportedScheme || status == .loginDenied || status == .refused
  }
}
