import Bluebonnet
import Synchronization

/// One fetch: hears the session and passes the body on as it comes, never holding more than a piece of it.
///
/// The session's queue is serial and writing blocks it, so a slow reader slows the download down.
final class Fetch: URLSessionDataDelegate {
  struct State: ~Copyable {
    var output: OutputFile
    var progress: ProgressDisplay?
    var outcome = Outcome()
    var commandError: CommandError?
    /// There is nothing more to wait for: what cancelling the task brings is no failure.
    var isDone = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  let plan: RequestPlan
  let settings: FetchSettings
  let state: Mutex<State>

  init(_ plan: RequestPlan, settings: FetchSettings) {
    self.plan = plan
    self.settings = settings
    state = Mutex(
      State(output: OutputFile(settings.place), progress: settings.progressWidth.map(ProgressDisplay.init)))
  }

  /// Performs the request and returns when everything is written.
  func run(configuration: URLSessionConfiguration) async -> (Outcome, CommandError?) {
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    let task = session.dataTask(with: request)
    if settings.isVerbose { tellRequest(request) }
    await withCheckedContinuation { continuation in
      state.withLock { $0.continuation = continuation }
      task.resume()
    }
    session.finishTasksAndInvalidate()
    return state.withLock { ($0.outcome, $0.commandError) }
  }

  private var request: URLRequest {
    var request = URLRequest(url: plan.url)
    request.httpMethod = plan.method
    for field in plan.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
    guard let body = plan.body else { return request }
    if let bytes = body.bytes, !isChunked {
      request.httpBody = Data(bytes)
    } else {
      request.httpBodyStream = BodyStream(body)
      request.setValue(isChunked ? nil : "\(body.length)", forHTTPHeaderField: "Content-Length")
    }
    return request
  }

  /// Whoever states this field wants chunks even where the length is known.
  private var isChunked: Bool {
    plan.fields.contains { $0.name.lowercased() == "transfer-encoding" && $0.value.lowercased() == "chunked" }
  }

  /// Notes the first reason to fail and stops the task.
  func fail(_ commandError: CommandError, stopping task: URLSessionTask) {
    state.withLock { if $0.commandError == nil { $0.commandError = commandError } }
    task.cancel()
  }
}
