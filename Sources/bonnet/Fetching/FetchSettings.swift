/// How a fetch shows what it gets.
struct FetchSettings: Equatable {
  var place: OutputFile.Place
  var includesHeads: Bool
  /// `-I` with another method: the body of that is of no interest.
  var stopsAfterHead: Bool
  var isVerbose: Bool
  var failsOnErrorStatus: Bool
  var acceptsAnyCertificate: Bool
  /// Standard output is a terminal, which binary output can make unreadable, and nobody said `-o -`.
  var sparesTerminal: Bool
  /// The columns of the progress line; nil for none.
  var progressWidth: Int?

  /// - Parameters:
  ///   - terminalWidth: The columns of the terminal, or nil if standard error is none.
  ///   - writesToTerminal: Whether standard output is one.
  init(
    _ options: Options, plan: RequestPlan, terminalWidth: Int?, writesToTerminal: Bool
  ) throws(CommandError) {
    let output = options.output
    place = try Self.place(output, plan: plan)
    includesHeads = output.includesHeads || options.request.asksForHead
    stopsAfterHead = options.request.asksForHead && plan.method != "HEAD"
    isVerbose = output.isVerbose
    failsOnErrorStatus = output.failsOnErrorStatus
    acceptsAnyCertificate = options.connection.acceptsAnyCertificate
    sparesTerminal = place == .standardOutput && writesToTerminal && output.file == nil
    let showsProgress = place != .standardOutput && !output.isSilent && !output.isVerbose
    progressWidth = showsProgress ? terminalWidth : nil
  }

  private static func place(_ output: OutputOptions, plan: RequestPlan) throws(CommandError)
    -> OutputFile.Place
  {
    guard output.file != "" else { throw CommandError(.usage, "-o wants the name of a file") }
    if let file = output.file { return file == "-" ? .standardOutput : .path(file) }
    guard output.usesRemoteName else { return .standardOutput }
    // Only the last segment, so that no URL can name a place elsewhere.
    let name = plan.url.path(percentEncoded: false).split(separator: "/", omittingEmptySubsequences: false)
      .last
    guard let name, !name.isEmpty, name != ".", name != ".." else {
      throw CommandError(.writeFailed, "the URL names no file; say where to with -o")
    }
    return .path(String(name))
  }
}
