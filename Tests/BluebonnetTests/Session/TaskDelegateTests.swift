// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// A delegate of one task may come and go while the task of a request runs.
@Suite struct TaskDelegateTests {
  // Unchecked: a weak reference may be read while it is set to nil, and the test sets it once.
  private final class Weak: @unchecked Sendable {
    weak var request: DataRequest?
  }

  private final class Silent: URLSessionTaskDelegate {}

  private func session() -> Session { Session(configuration: .inMemory, requestSetup: .eager) }

  /// What waits on the delegates' queue is not overtaken by what comes when there is no delegate any more.
  @Test func aDelegateThatGoesLeavesTheOrderAlone() async throws {
    let origin = Origin.inMemory()
    let pattern = (0..<251).map { UInt8($0) }
    let (first, whole) = (100_400, 502_000)
    origin.script(
      "/parts",
      ScriptedReply([
        .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: \(whole)\r\n\r\n".utf8)),
        .repeating(pattern, count: first), .pause(milliseconds: 300),
        .repeating(pattern, count: whole - first),
      ]))
    let session = session()
    let gate = DispatchSemaphore(value: 0)
    let request = session.request(origin.baseURL + "/parts", shouldAutomaticallyResume: false)
    request.onHTTPResponse(on: .global()) { _, completion in
      session.session.delegateQueue.addOperation { gate.wait() }
      completion(.allow)
    }
    request.onURLSessionTaskCreation(on: .global()) { task in
      task.delegate = Silent()
      request.resume()
    }
    async let response = request.serializingData().response
    await Eventually.expect("a part has come") { request.task.map { $0.countOfBytesReceived > 0 } ?? false }
    request.task?.delegate = nil
    await Eventually.expect("all has come") {
      request.task.map { $0.countOfBytesReceived == whole } ?? false
    }
    gate.signal()
    let data = try #require(await response.data)
    #expect(data.count == whole)
    #expect(zip(data, 0...).allSatisfy { $0 == UInt8($1 % 251) })
  }

  /// A task that gets a delegate at its very end still lets go of its request.
  @Test(arguments: [false, true]) func aDelegateThatComesLateKeepsNothingAlive(goes: Bool) async throws {
    let origin = Origin.inMemory()
    let session = session()
    for run in 0..<200 {
      let kept = Weak()
      do {
        let request = session.request(origin.baseURL + "/bytes/10", shouldAutomaticallyResume: false)
        kept.request = request
        await Eventually.expect("there is a task") { request.task != nil }
        let task = try #require(request.task)
        if goes { task.delegate = Silent() }
        request.resume()
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(run * 10)) {
          task.delegate = goes ? nil : Silent()
        }
        #expect(await request.serializingData().response.data?.count == 10)
      }
      await Eventually.expect("the request is gone, run \(run)") { kept.request == nil }
    }
  }
}
