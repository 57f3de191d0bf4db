import ArgumentParser
import Glibc

/// Fetches, or takes the tour if there is nothing to fetch.
@main enum Bonnet {
  static func main() async {
    // A closed pipe is reported by write, and then by exit code 23.
    signal(SIGPIPE, SIG_IGN)
    StandardStreams.occupyClosed()
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static func run(_ arguments: [String]) async -> ExitStatus {
    if arguments.isEmpty { return await Tour.take() }
    let options: Options
    do {
      options = try Options.parse(CommandLineWords.separated(arguments))
    } catch {
      return explain(error)
    }
    return await FetchCommand(options).run()
  }

  /// Help is an answer, everything else an error of the command.
  private static func explain(_ error: any Error) -> ExitStatus {
    guard Options.exitCode(for: error).isSuccess else {
      Terminal.say(Options.fullMessage(for: error) + "\n")
      return .usage
    }
    print(Options.fullMessage(for: error))
    return .success
  }
}
