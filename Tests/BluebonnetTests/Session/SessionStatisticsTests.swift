// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// The numbers of connections and requests.
@Suite struct SessionStatisticsTests {
  private let origin = Origin.inMemory()

  @Test func nothingYet() async {
    let statistics = await Session(configuration: .inMemory).statistics
    #expect(
      statistics
        == SessionStatistics(openConnections: 0, idleConnections: 0, waitingRequests: 0, requestsUnderWay: 0))
  }

  @Test func idleAfterARequest() async {
    let session = Session(configuration: .patientInMemory)
    _ = await session.request(origin.baseURL + "/get").serializingData().response
    let statistics = await session.statistics
    #expect(statistics.openConnections == 1 && statistics.idleConnections == 1)
    #expect(statistics.waitingRequests == 0 && statistics.requestsUnderWay == 0)
  }

  @Test func waitingForAConnection() async {
    let configuration = URLSessionConfiguration.patientInMemory
    configuration.httpMaximumConnectionsPerHost = 1
    let session = Session(configuration: configuration)
    origin.script("/slow", .silence)
    let requests = (0..<3).map { _ in session.request(origin.baseURL + "/slow").resume() }
    await Eventually.expect("one is sent") { [origin] in origin.requests.count == 1 }
    let statistics = await session.statistics
    #expect(statistics.openConnections == 1 && statistics.idleConnections == 0)
    #expect(statistics.waitingRequests == 2 && statistics.requestsUnderWay == 3)
    await withCheckedContinuation { done in
      session.cancelAllRequests(completingOnQueue: .global()) { done.resume() }
    }
    #expect(requests.allSatisfy { $0.isCancelled })
    let end = await session.statistics
    #expect(end.waitingRequests == 0 && end.requestsUnderWay == 0)
  }

  @Test func waitingForTheirTurn() async {
    let configuration = URLSessionConfiguration.patientInMemory
    configuration.requestLimit = 1
    let session = Session(configuration: configuration)
    origin.script("/slow", .silence)
    let requests = (0..<3).map { _ in session.request(origin.baseURL + "/slow").resume() }
    await Eventually.expect("one is sent") { [origin] in origin.requests.count == 1 }
    #expect(await session.statistics.waitingRequests == 2)
    // A suspended request does not wait, and is still under way.
    requests[2].suspend()
    #expect(await session.statistics.waitingRequests <= 2)
    #expect(await session.statistics.requestsUnderWay == 3)
    for request in requests { request.cancel() }
  }

  /// Anywhere: in a handler on a queue, and in one that the loop calls.
  @Test func inHandlers() async {
    let session = Session(configuration: .patientInMemory)
    let url = origin.baseURL + "/get"
    let inAHandler = await withCheckedContinuation { done in
      session.request(url).response { _ in
        Task { done.resume(returning: await session.statistics) }
      }
    }
    #expect(inAHandler.openConnections == 1)
    let inAStream = await withCheckedContinuation { done in
      session.request(url).onHTTPResponse { _ in
        Task { done.resume(returning: await session.statistics) }
      }.resume()
    }
    #expect(inAStream.openConnections >= 1)
    // While the loop is held by this thread.
    let held = Recorder<ConnectionCounts>()
    session.context.loop.execute { session.session.countConnections { held.note($0) } }
    await Eventually.expect("it is told") { held.entries.count == 1 }
  }

  @Test func manyAtOnce() async {
    let session = Session(configuration: .patientInMemory)
    let url = origin.baseURL + "/get"
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { _ = await session.request(url).serializingData().response }
        group.addTask {
          let statistics = await session.statistics
          #expect(statistics.idleConnections <= statistics.openConnections && statistics.openConnections <= 6)
        }
      }
    }
    #expect(await session.statistics.requestsUnderWay == 0)
  }
}
