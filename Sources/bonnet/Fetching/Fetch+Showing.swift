import Bluebonnet

extension Fetch {
  /// Shows the head of a response wherever that was asked for.
  func show(_ response: HTTPURLResponse, of task: URLSessionTask) {
    tell(response)
    guard settings.includesHeads else { return }
    write(ResponseHeadText.bytes(of: response), of: task)
  }

  func write(_ data: Data, of task: URLSessionTask) {
    let commandError = state.withLock { state -> CommandError? in
      guard state.commandError == nil else { return nil }
      var commandError: CommandError?
      data.withUnsafeBytes { bytes in
        do throws(CommandError) { try state.output.write(bytes) } catch { commandError = error }
      }
      return commandError
    }
    if let commandError { fail(commandError, stopping: task) }
  }

  func tell(_ response: HTTPURLResponse) {
    guard settings.isVerbose else { return }
    Terminal.say(ResponseHeadText.lines(of: response).map { "< \($0)\n" }.joined() + "<\n")
  }

  /// The request as it is about to be sent, but for the fields about its body.
  func tellRequest(_ request: URLRequest) {
    guard let url = request.url else { return }
    let path = url.path(percentEncoded: true)
    let target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
    let authority = (url.host() ?? "") + (url.port.map { ":\($0)" } ?? "")
    let host = request.value(forHTTPHeaderField: "Host") ?? authority
    let fields = request.headers.filter { $0.name.lowercased() != "host" }
    let lines =
      ["\(request.httpMethod ?? "GET") \(target) HTTP/1.1", "Host: \(host)"]
      + fields.map { "\($0.name): \($0.value)" }
    Terminal.say(lines.map { "> \($0)\n" }.joined() + ">\n")
  }
}
