// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

@Suite struct URLSessionTaskTests {
  /// Writes down what a session asks of its engine.
  private final class Recorder: TaskEngine {
    let calls = Locked<[String]>([])

    func makeDriver(for task: URLSessionTask, listener: (any TaskListener)?) -> any TaskDriver {
      Driver(recorder: self, number: task.taskIdentifier)
    }
    func invalidate(_ session: URLSession, cancelling: Bool) { add("invalidate \(cancelling)") }

    func add(_ call: String) { calls.withLock { $0.append(call) } }
    var all: [String] { calls.withLock { $0 } }
  }

  private final class Driver: TaskDriver {
    let recorder: Recorder
    let number: Int

    init(recorder: Recorder, number: Int) {
      self.recorder = recorder
      self.number = number
    }

    func start(notBefore date: Date?) { recorder.add("start \(number)") }
    func resume() { recorder.add("resume \(number)") }
    func suspend() { recorder.add("suspend \(number)") }
    func hold(while isHeld: @escaping @Sendable () -> Bool) {}
    func cancel() { recorder.add("cancel \(number)") }
    func cancel(byProducingResumeData completion: @escaping @Sendable (Data?) -> Void) {
      recorder.add("produce \(number)")
      completion(Data([1]))
    }
  }

  private let session = URLSession(configuration: .ephemeral)
  private let engine = Recorder()
  private let url = URL(string: "http://example.org/")

  private func task() throws -> URLSessionDataTask {
    session.engine = engine
    return session.dataTask(with: try #require(url))
  }

  @Test func aTaskStartsSuspendedAndRunsOnce() throws {
    let task = try task()
    #expect(task.state == .suspended)
    task.resume()
    task.resume()
    #expect(task.state == .running)
    #expect(engine.all == ["start 1"])
  }

  @Test func suspensionsNest() throws {
    let task = try task()
    task.resume()
    task.suspend()
    task.suspend()
    task.resume()
    #expect(task.state == .suspended)
    task.resume()
    #expect(task.state == .running)
    #expect(engine.all == ["start 1", "suspend 1", "resume 1"])
  }

  @Test func suspendingBeforeTheStartCounts() throws {
    let task = try task()
    task.suspend()
    task.resume()
    #expect(task.state == .suspended)
    task.resume()
    #expect(engine.all == ["start 1"])
  }

  @Test func cancellingHappensOnce() throws {
    let task = try task()
    task.cancel()
    task.cancel()
    task.resume()
    task.suspend()
    #expect(task.state == .canceling)
    #expect(engine.all == ["cancel 1"])
  }

  @Test func aTaskCompletesOnce() throws {
    let task = try task()
    task.resume()
    #expect(task.complete(with: URLError(.timedOut)))
    #expect(!task.complete(with: nil))
    task.cancel()
    task.resume()
    #expect(task.state == .completed)
    #expect((task.error as? URLError)?.code == .timedOut)
    #expect(engine.all == ["start 1"])
  }

  @Test func tasksAreNumberedAndForgotten() throws {
    let first = try task()
    let second = session.downloadTask(with: try #require(url))
    #expect(first.taskIdentifier == 1 && second.taskIdentifier == 2)
    #expect(session.unfinishedTasks == [first, second])
    #expect(first != second)
    #expect(!session.forget(first))
    session.finishTasksAndInvalidate()
    #expect(session.forget(second))
    #expect(session.unfinishedTasks.isEmpty)
    #expect(engine.all == ["invalidate false"])
  }

  @Test func cancellingAnInvalidatedSessionIsHeard() throws {
    _ = try task()
    session.finishTasksAndInvalidate()
    session.finishTasksAndInvalidate()
    session.invalidateAndCancel()
    #expect(engine.all == ["invalidate false", "invalidate true"])
    #expect(session.isInvalidated)
  }

  @Test func resumeDataIsProducedOnce() async throws {
    session.engine = engine
    let task = session.downloadTask(with: try #require(url))
    #expect(await task.cancelByProducingResumeData() == Data([1]))
    #expect(await task.cancelByProducingResumeData() == nil)
    #expect(engine.all == ["produce 1"])
  }

  @Test func countsFollowTheResponse() throws {
    let task = try task()
    #expect(task.countOfBytesExpectedToReceive == NSURLSessionTransferSizeUnknown)
    let response = HTTPURLResponse(
      url: try #require(url), statusCode: 200, httpVersion: nil, headerFields: ["Content-Length": "7"])
    task.setResponse(try #require(response))
    task.count { $0.received += 3 }
    #expect(task.countOfBytesExpectedToReceive == 7)
    #expect(task.countOfBytesReceived == 3)
    #expect(task.response === response)
  }

  /// Each in the list of its kind, on the delegate queue; a WebSocket is in none of the three.
  @Test func unfinishedTasksAreHandedOverByKind() async throws {
    let url = try #require(url)
    let data = try task()
    let upload = session.uploadTask(with: URLRequest(url: url), from: Data())
    let download = session.downloadTask(with: url)
    let socket = session.webSocketTask(with: try #require(URL(string: "ws://example.org/")))
    let over = session.dataTask(with: url)
    over.resume()
    #expect(over.complete(with: nil))
    session.forget(over)
    await withCheckedContinuation { continuation in
      session.getTasksWithCompletionHandler { [session] tasks, uploads, downloads in
        #expect(session.isOnDelegateQueue)
        #expect(tasks == [data] && uploads == [upload] && downloads == [download])
        continuation.resume()
      }
    }
    let all = await withCheckedContinuation { continuation in
      session.getAllTasks { continuation.resume(returning: $0) }
    }
    #expect(all == [data, upload, download, socket])
  }

  @Test func estimatesAreKept() throws {
    let task = try task()
    #expect(task.countOfBytesClientExpectsToSend == NSURLSessionTransferSizeUnknown)
    #expect(task.countOfBytesClientExpectsToReceive == NSURLSessionTransferSizeUnknown)
    task.countOfBytesClientExpectsToSend = 3
    task.countOfBytesClientExpectsToReceive = 5
    #expect(task.countOfBytesClientExpectsToSend == 3 && task.countOfBytesClientExpectsToReceive == 5)
    #expect(task.countOfBytesExpectedToSend != 3 && task.countOfBytesExpectedToReceive != 5)
  }
}
