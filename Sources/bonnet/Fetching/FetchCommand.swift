import Bluebonnet
import Glibc

/// From options to an exit code.
struct FetchCommand {
  let options: Options

  init(_ options: Options) { self.options = options }

  func run() async -> ExitStatus {
    do throws(CommandError) {
      let plan = try RequestPlan(
        options, files: BodyFiles(read: InputFile.read, largeLength: InputFile.largeLength))
      let settings = try FetchSettings(
        options, plan: plan, terminalWidth: Terminal.width, writesToTerminal: isatty(STDOUT_FILENO) == 1)
      let configuration = try self.configuration(for: plan)
      let (outcome, commandError) = await Fetch(plan, settings: settings).run(configuration: configuration)
      return try report(outcome, commandError, plan)
    } catch {
      return report(error)
    }
  }

  private func report(
    _ outcome: Outcome, _ commandError: CommandError?, _ plan: RequestPlan
  ) throws(CommandError) -> ExitStatus {
    let status = commandError.map(report) ?? .success
    guard let format = options.output.report else { return status }
    var output = OutputFile(.standardOutput)
    try output.write(
      WriteOut(format: format).text(
        outcome.variables(plan: plan, status: status, message: commandError?.message ?? "")))
    return status
  }

  private func report(_ commandError: CommandError) -> ExitStatus {
    if !options.output.isSilent || options.output.showsErrors {
      Terminal.say("bonnet: (\(commandError.status.rawValue)) \(commandError.message)\n")
    }
    return commandError.status
  }
}
