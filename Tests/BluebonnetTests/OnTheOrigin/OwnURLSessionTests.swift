// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Sessions around queues and a `URLSession` of the caller's.
@Suite struct OwnURLSessionTests {
  @Test func aURLSessionOfTheCallers() async throws {
    let origin = Origin.inMemory()
    let rootQueue = DispatchQueue(label: "test.own.root")
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    operations.underlyingQueue = rootQueue
    let delegate = SessionDelegate()
    let urlSession = URLSession(
      configuration: .af.ephemeral.inMemory(), delegate: delegate, delegateQueue: operations)
    let session = Session(session: urlSession, delegate: delegate, rootQueue: rootQueue)
    #expect(session.session === urlSession && session.rootQueue === rootQueue)
    #expect(session.requestQueue.label == "test.own.root.requestQueue")
    #expect(session.serializationQueue.label == "test.own.root.serializationQueue")
    let response = await session.request(origin.baseURL + "/get").validate()
      .serializingDecodable(DataRequestTests.Reply.self).response
    #expect(response.value?.url == origin.baseURL + "/get")
  }

  /// Code of the caller's runs on the queues it asked for.
  @Test func queuesOfTheCallers() async throws {
    struct Asserting: DataPreprocessor {
      let queue: DispatchQueue
      func preprocess(_ data: Data) throws -> Data {
        dispatchPrecondition(condition: .onQueue(queue))
        return data
      }
    }
    let origin = Origin.inMemory()
    let requestQueue = DispatchQueue(label: "test.own.request")
    let serializationQueue = DispatchQueue(label: "test.own.serialization")
    let session = Session(
      configuration: .af.ephemeral.inMemory(), rootQueue: DispatchQueue(label: "test.own.root"),
      requestQueue: requestQueue, serializationQueue: serializationQueue)
    let request = session.request(origin.baseURL + "/get") { _ in
      dispatchPrecondition(condition: .onQueue(requestQueue))
    }
    let response = await request.serializingData(dataPreprocessor: Asserting(queue: serializationQueue))
      .response
    #expect(response.error == nil)
  }

  @Test func theMainQueueAsRoot() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .af.ephemeral.inMemory(), rootQueue: .main)
    #expect(session.rootQueue.isMain)
    #expect(await session.request(origin.baseURL + "/get").serializingData().response.error == nil)

    let delegate = SessionDelegate()
    let urlSession = URLSession(
      configuration: .af.ephemeral.inMemory(), delegate: delegate, delegateQueue: .main)
    let own = Session(session: urlSession, delegate: delegate, rootQueue: .main)
    #expect(await own.request(origin.baseURL + "/get").serializingData().response.error == nil)
  }

  @Test func theMainQueueIsToldFromOthers() {
    let queue = DispatchQueue(label: "test.own.other", target: .main)
    #expect(DispatchQueue.main.isMain && DispatchQueue.main.isSame(as: .main))
    #expect(!queue.isMain && !queue.isSame(as: .main) && queue.isSame(as: queue))
    #expect(!queue.isSame(as: DispatchQueue(label: "test.own.other")))
  }

  /// Held back on the wire, not only in name: nothing is sent before it is resumed.
  @Test(.timeLimit(.minutes(5)))
  func aSuspendedRequestSendsNothing() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .af.ephemeral.inMemory(), startRequestsImmediately: false)
    let pending = Recorder<@Sendable () -> Void>()
    let request = session.request(
      origin.baseURL + "/get",
      interceptor: .adapter { urlRequest, _, completion in pending.note { completion(.success(urlRequest)) } }
    ).resume()
    await Eventually.expect("The adapter is asked.") { !pending.entries.isEmpty }
    request.suspend()
    pending.entries.first?()
    await Eventually.expect("It has its task.") { request.task != nil }
    #expect(await session.request(origin.baseURL + "/ip").resume().serializingData().response.error == nil)
    #expect(origin.requests.count == 1)
    request.resume()
    #expect(await request.serializingData().response.error == nil)
    #expect(origin.requests.count == 2)
  }

  @Test(.timeLimit(.minutes(5)))
  func aSuspendedRequestCanBeCancelled() async throws {
    let origin = Origin.inMemory()
    origin.script("/silent", .silence)
    let session = Session(configuration: .af.ephemeral.inMemory())
    let request = session.request(origin.baseURL + "/silent") { $0.timeoutInterval = 600 }
    let task = request.serializingData()
    await Eventually.expect("It has been sent.") { !origin.requests.isEmpty }
    request.suspend()
    #expect(request.task?.state == .suspended)
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
  }

  /// Whoever cancels after the last byte, and before the handlers are served, gets one answer all the same.
  @Test func everyRequestOfManyIsAnsweredOnce() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .af.ephemeral.inMemory())
    let answers = Recorder<Int>()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        let request = session.request(origin.baseURL + "/get")
        group.addTask {
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            request.response(queue: .global()) { _ in
              answers.note(number)
              continuation.resume()
            }
            if number.isMultiple(of: 2) { request.cancel() }
          }
        }
      }
    }
    #expect(answers.entries.sorted() == Array(0..<64))
  }
}
