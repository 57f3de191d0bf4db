// SPDX-License-Identifier: MIT
@testable import bonnet

/// Runs one transfer of a command line, and tells what is known of it.
enum TransferProbe {
  static func facts(
    _ arguments: [String], writesToTerminal: Bool = false
  ) async throws(CommandError) -> TransferFacts {
    let command = try CommandLineParser.command(["-s"] + arguments, files: InputFile.bodyFiles)
    let operation = command.operations[0]
    let context = TransferContext(
      globals: command.globals, sessions: SessionPool(), trace: Trace(command.globals, showsBodies: false),
      reporter: Reporter(command.globals), cookies: CookieStore(warn: { _ in }),
      meter: Meter(command.globals, isShown: false), writesToTerminal: writesToTerminal)
    var planner = TransferPlanner(files: InputFile.bodyFiles, length: InputFile.length)
    let pair = try TransferPlanner.steps(of: operation)[0]
    let plan = try planner.plan(
      operation, 0, pair[0][0], upload: operation.uploads.isEmpty ? nil : pair[1][0].text, warn: { _ in })
    let facts = await Transfer(plan, context: context, output: OutputFile(plan.place)).run()
    await context.sessions.finish()
    return facts
  }
}
