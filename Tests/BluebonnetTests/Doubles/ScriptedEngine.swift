// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import BluebonnetLocks

@testable import Bluebonnet

/// Stands in for the network: answers each task as the test says, on the session's own executor and in the order
/// in which `URLSession` calls whoever hears of its tasks.
final class ScriptedEngine: TaskEngine {
  enum Answer: Sendable {
    case reply(status: Int = 200, headers: [String: String] = [:], body: [String] = [])
    case failure(URLError.Code)
    /// Nothing, until the task is cancelled.
    case silence
  }

  private struct State {
    var started: [URLSessionTask] = []
    var invalidated = false
  }

  /// Drives one task.
  private final class Driver: TaskDriver {
    let task: URLSessionTask
    let engine: ScriptedEngine
    let listener: (any TaskListener)?
    private let isSettled = Locked(false)

    init(_ task: URLSessionTask, _ engine: ScriptedEngine, _ listener: (any TaskListener)?) {
      self.task = task
      self.engine = engine
      self.listener = listener
    }

    func start(notBefore date: Date?) {
      let attempt = engine.state.withLock { state in
        state.started.append(task)
        return state.started.count
      }
      switch engine.answers(attempt, task) {
      case .silence: break
      case .failure(let code): task.session.executor.async { self.settle(with: URLError(code)) }
      case .reply(let status, let headers, let body):
        task.session.executor.async { self.reply(status, headers, body) }
      }
    }

    func resume() {}
    func suspend() {}
    func hold(while isHeld: @escaping @Sendable () -> Bool) {}

    func cancel() {
      task.session.executor.async { self.settle(with: URLError(.cancelled)) }
    }

    func cancel(byProducingResumeData completion: @escaping @Sendable (Data?) -> Void) {
      completion(Data("resume".utf8))
      cancel()
    }

    private func reply(_ status: Int, _ headers: [String: String], _ body: [String]) {
      guard let url = task.originalRequest?.url,
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
      else { return }
      task.setResponse(response)
      guard let dataTask = task as? URLSessionDataTask else { return settle(with: nil) }
      let length = response.expectedContentLength
      let answer: @Sendable (URLSession.ResponseDisposition) -> Void = { [self] disposition in
        guard disposition == .allow else { return cancel() }
        task.session.executor.async { [self] in
          for part in body {
            let data = Data(part.utf8)
            if let listener {
              listener.hear(.data(data, of: length), of: dataTask)
            } else {
              delegate?.urlSession(task.session, dataTask: dataTask, didReceive: data)
            }
          }
          settle(with: nil)
        }
      }
      if let listener {
        listener.answer(.response(response, answer), of: dataTask)
      } else {
        delegate?.urlSession(
          task.session, dataTask: dataTask, didReceive: response, completionHandler: answer)
      }
    }

    private var delegate: (any URLSessionDataDelegate)? {
      task.session.delegate as? any URLSessionDataDelegate
    }

    private func settle(with error: (any Error)?) {
      let isFirst = isSettled.withLock { isSettled in
        defer { isSettled = true }
        return !isSettled
      }
      guard isFirst, task.complete(with: error) else { return }
      task.session.forget(task)
      let metrics = URLSessionTaskMetrics(
        .none, earlier: [], redirectCount: 0,
        clock: ClockAnchor(wall: Date().timeIntervalSince1970, monotonic: 0), start: 0, end: 1)
      if let listener { return listener.hear(.completed(error, metrics), of: task) }
      delegate?.urlSession(task.session, task: task, didFinishCollecting: metrics)
      delegate?.urlSession(task.session, task: task, didCompleteWithError: error)
    }
  }

  private let answers: @Sendable (_ attempt: Int, _ task: URLSessionTask) -> Answer
  private let state = Locked(State())

  init(_ answers: @escaping @Sendable (_ attempt: Int, _ task: URLSessionTask) -> Answer) {
    self.answers = answers
  }

  /// The tasks in the order of their start.
  var started: [URLSessionTask] { state.withLock { $0.started } }

  func makeDriver(for task: URLSessionTask, listener: (any TaskListener)?) -> any TaskDriver {
    Driver(task, self, listener)
  }

  func invalidate(_ session: URLSession, cancelling: Bool) {
    for task in session.unfinishedTasks where cancelling { task.cancel() }
    session.executor.async {
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
