import Bluebonnet
import Glibc

/// From options to an exit code.
struct FetchCommand {
  let options: Options

  init(_ options: Options) { self.options = options }

  func run() async -> ExitStatus {
    do throws(Complaint) {
      let plan = try RequestPlan(
        options, files: BodyFiles(read: InputFile.read, largeLength: InputFile.largeLength))
      let settings = try FetchSettings(
        options, plan: plan, terminalWidth: Terminal.width, writesToTerminal: isatty(STDOUT_FILENO) == 1)
      let configuration = try self.configuration(for: plan)
      let (outcome, complaint) = await Fetch(plan, settings: settings).run(configuration: configuration)
      return try report(outcome, complaint, plan)
    } catch {
      return complain(error)
    }
  }

  private func report(
    _ outcome: Outcome, _ complaint: Complaint?, _ plan: RequestPlan
  ) throws(Complaint) -> ExitStatus {
    let status = complaint.map(complain) ?? .success
    guard let format = options.output.report else { return status }
    var output = OutputFile(.standardOutput)
    try output.write(
      WriteOut(format: format).text(
        outcome.variables(plan: plan, status: status, message: complaint?.message ?? "")))
    return status
  }

  private func complain(_ complaint: Complaint) -> ExitStatus {
    if !options.output.isSilent || options.output.showsErrors {
      Terminal.say("bonnet: (\(complaint.status.rawValue)) \(complaint.message)\n")
    }
    return complaint.status
  }
}
