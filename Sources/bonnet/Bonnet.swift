// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Reads the command line, and fetches or answers.
@main enum Bonnet {
  static func main() async {
    // A closed pipe is reported by write, and then by exit code 23.
    signal(SIGPIPE, SIG_IGN)
    StandardStreams.occupyClosed()
    // As bytes: the arguments need not be UTF-8.
    let arguments = ProcessArguments.all.map {
      ByteText.text(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
    }
    exit(await run(arguments, areOfProcess: true).rawValue)
  }

  /// - Parameter areOfProcess: Other users can read the arguments, so secrets are taken out of them.
  static func run(_ arguments: [String], areOfProcess: Bool = false) async -> ExitStatus {
    var command: Command
    do throws(CommandError) {
      // As with curl, whatever follows the letter.
      let isDisabled = arguments.first.map { $0.hasPrefix("-q") || $0 == "--disable" } == true
      let own = isDisabled ? nil : ConfigFile.usualPath
      command = try CommandLineParser.command(
        arguments, usual: own, files: InputFile.bodyFiles,
        hide: { if areOfProcess { ProcessArguments.hide($0) } })
      if let path = command.globals.errorPath { try StandardStreams.sendErrors(to: path) }
    } catch {
      return explain(error)
    }
    if command.question == .tour { return await Tour.take() }
    if let question = command.question { return answer(question) }
    if command.operations.contains(where: \.urls.isEmpty) {
      guard !arguments.isEmpty else { return giveHint(.usage) }
      return explain(CommandError(.usage, "no URL given"))
    }
    command.askForPasswords(PasswordPrompt.read)
    return await CommandRunner(command, files: InputFile.bodyFiles).run()
  }

  private static func explain(_ error: CommandError) -> ExitStatus {
    // Help says nothing of a file that is not there; its status does.
    let status = error.status == .readFailed ? "(\(error.status.rawValue)) " : ""
    Terminal.say("bonnet: \(status)\(error.message)\n")
    return error.status == .usage ? giveHint(error.status) : error.status
  }

  private static func giveHint(_ status: ExitStatus) -> ExitStatus {
    Terminal.say("bonnet: try 'bonnet --help' for more information\n")
    return status
  }

  private static func answer(_ question: Command.Question) -> ExitStatus {
    var output = OutputFile(.standardOutput)
    // One column less: some terminals begin a line behind the last one.
    let width = min(HelpText.usualWidth, Terminal.width(of: STDOUT_FILENO).map { $0 - 1 } ?? .max)
    let text =
      switch question {
      case .help(let category): HelpText.text(category, width: width)
      case .manual: HelpText.text("all", width: width)
      case .version: VersionText.text
      case .manualPage: ManualPage.text
      case .completions(let shell): CompletionScript.text(for: shell)
      // Taken before.
      case .tour: ""
      }
    do throws(CommandError) {
      try output.write(text)
    } catch {
      return error.status
    }
    return .success
  }
}
