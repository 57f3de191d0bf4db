import BluebonnetURLLoading
import BluebonnetLocks

@testable import Bluebonnet

/// Stands in for the network: answers each task as the test says, on the session's own lane and in the order
/// in which `URLSession` calls its delegate.
final class ScriptedEngine: TaskEngine {
  enum Answer: Sendable {
    case reply(status: Int = 200, headers: [String: String] = [:], body: [String] = [])
    case failure(URLError.Code)
    /// Nothing, until the task is cancelled.
    case silence
  }

  private struct State {
    var started: [URLSessionTask] = []
    var settled: Set<Int> = []
    var invalidated = false
  }

  private let answers: @Sendable (_ attempt: Int, _ task: URLSessionTask) -> Answer
  private let state = Locked(State())

  init(_ answers: @escaping @Sendable (_ attempt: Int, _ task: URLSessionTask) -> Answer) {
    self.answers = answers
  }

  /// The tasks in the order of their start.
  var started: [URLSessionTask] { state.withLock { $0.started } }

  func resume(_ task: URLSessionTask) {
    let attempt = state.withLock { state -> Int? in
      guard !state.started.contains(task) else { return nil }
      state.started.append(task)
      return state.started.count
    }
    guard let attempt else { return }
    switch answers(attempt, task) {
    case .silence: break
    case .failure(let code):
      task.session.lane.async { self.settle(task, with: URLError(code)) }
    case .reply(let status, let headers, let body):
      task.session.lane.async { self.reply(to: task, status, headers, body) }
    }
  }

  func suspend(_ task: URLSessionTask) {}

  func hold(_ task: URLSessionTask, while isHeld: @escaping @Sendable () -> Bool) {}

  func cancel(_ task: URLSessionTask) {
    task.session.lane.async { self.settle(task, with: URLError(.cancelled)) }
  }

  func cancel(
    _ task: URLSessionDownloadTask, byProducingResumeData completion: @escaping @Sendable (Data?) -> Void
  ) {
    completion(Data("resume".utf8))
    cancel(task)
  }

  func invalidate(_ session: URLSession, cancelling: Bool) {
    for task in session.unfinishedTasks where cancelling { cancel(task) }
    session.lane.async {
      guard
        self.state.withLock({ state in
          defer { state.invalidated = true }
          return !state.invalidated
        })
      else { return }
      session.delegate?.urlSession(session, didBecomeInvalidWithError: nil)
      session.releaseDelegate()
    }
  }

  private func reply(
    to task: URLSessionTask, _ status: Int, _ headers: [String: String], _ body: [String]
  ) {
    guard let url = task.originalRequest?.url,
      let response = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    else { return }
    task.setResponse(response)
    guard let dataTask = task as? URLSessionDataTask,
      let delegate = task.session.delegate as? any URLSessionDataDelegate
    else { return settle(task, with: nil) }
    delegate.urlSession(task.session, dataTask: dataTask, didReceive: response) { disposition in
      guard disposition == .allow else { return self.cancel(task) }
      task.session.lane.async {
        for part in body {
          delegate.urlSession(task.session, dataTask: dataTask, didReceive: Data(part.utf8))
        }
        self.settle(task, with: nil)
      }
    }
  }

  private func settle(_ task: URLSessionTask, with error: (any Error)?) {
    guard state.withLock({ $0.settled.insert(task.taskIdentifier).inserted }), task.complete(with: error)
    else { return }
    task.session.forget(task)
    guard let delegate = task.session.delegate as? any URLSessionTaskDelegate else { return }
    let metrics = URLSessionTaskMetrics(
      transaction: nil, earlier: [], redirectCount: 0, clock: .now(monotonic: 0), start: 0, end: 1)
    delegate.urlSession(task.session, task: task, didFinishCollecting: metrics)
    delegate.urlSession(task.session, task: task, didCompleteWithError: error)
  }
}

/// A session on a scripted network, on the loop or on queues.
struct ScriptedSession {
  let session: Session
  let engine: ScriptedEngine

  init(
    onQueues: Bool = false, startRequestsImmediately: Bool = true,
    requestSetup: Session.RequestSetup = .lazy, interceptor: (any RequestInterceptor)? = nil,
    eventMonitors: [any EventMonitor] = [],
    configuration: URLSessionConfiguration = .ephemeral,
    _ answers: @escaping @Sendable (_ attempt: Int, _ task: URLSessionTask) -> ScriptedEngine.Answer = {
      _, _ in .reply(body: ["body"])
    }
  ) {
    session = Session(
      configuration: configuration, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      startRequestsImmediately: startRequestsImmediately, requestSetup: requestSetup,
      interceptor: interceptor, eventMonitors: eventMonitors)
    engine = ScriptedEngine(answers)
    session.session.engine = engine
  }
}
