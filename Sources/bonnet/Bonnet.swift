import BluebonnetLibc

/// Fetches, or takes the tour if there is nothing to fetch.
@main enum Bonnet {
  static func main() async {
    // A closed pipe is reported by write, and then by exit code 23.
    signal(SIGPIPE, SIG_IGN)
    StandardStreams.occupyClosed()
    // As bytes: the arguments need not be UTF-8.
    let words = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
    let arguments = words.dropFirst().map {
      ByteText.text(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
    }
    exit(await run(arguments).rawValue)
  }

  static func run(_ arguments: [String]) async -> ExitStatus {
    if arguments.isEmpty { return await Tour.take() }
    let command: Command
    do throws(CommandError) {
      let own = arguments.first.map { $0 == "-q" || $0 == "--disable" } == true ? nil : ConfigFile.usualPath
      command = try CommandLineParser.command(arguments, usual: own, files: InputFile.bodyFiles)
      if let path = command.globals.errorPath { try StandardStreams.sendErrors(to: path) }
    } catch {
      return explain(error)
    }
    if let question = command.question { return answer(question) }
    if command.operations.contains(where: \.urls.isEmpty) {
      return explain(CommandError(.usage, "no URL given"))
    }
    return await CommandRunner(command, files: InputFile.bodyFiles).run()
  }

  private static func explain(_ error: CommandError) -> ExitStatus {
    Terminal.say("bonnet: \(error.message)\n")
    if error.status == .usage { Terminal.say("bonnet: try 'bonnet --help'\n") }
    return error.status
  }

  private static func answer(_ question: Command.Question) -> ExitStatus {
    var output = OutputFile(.standardOutput)
    let text =
      switch question {
      case .help(let category): HelpText.text(category)
      case .manual: HelpText.text("all")
      case .version: VersionText.text
      }
    do throws(CommandError) {
      try output.write(text)
    } catch {
      return error.status
    }
    return .success
  }
}
