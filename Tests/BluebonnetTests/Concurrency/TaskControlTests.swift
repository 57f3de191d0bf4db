// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

/// Tasks that are awaited, and makers of sequences, steer their requests.
@Suite struct TaskControlTests {
  enum Kind: CaseIterable, Sendable { case data, download, stream, webSocket }

  /// A request with somebody who waits for its end.
  private struct Steered {
    let request: Request
    let cancel: () -> Void
    let resume: () -> Void
    let suspend: () -> Void
    /// Why it failed, once it is over.
    let end: () async -> AFError?
  }

  private let origin = Origin.inMemory()
  /// Whose requests wait to be resumed.
  private let session = Session(configuration: .patientInMemory, startRequestsImmediately: false)

  private func steered(_ kind: Kind, _ path: String? = nil) -> Steered {
    let url = origin.baseURL + (path ?? (kind == .webSocket ? "/websocket/payloads/1" : "/get"))
    switch kind {
    case .data:
      let request = session.request(url)
      let task = request.serializingData()
      return Steered(request: request, cancel: task.cancel, resume: task.resume, suspend: task.suspend) {
        await task.response.error
      }
    case .download:
      let request = session.download(url)
      let task = request.serializingData()
      return Steered(request: request, cancel: task.cancel, resume: task.resume, suspend: task.suspend) {
        let response = await task.response
        if let file = response.fileURL { try? FileManager.default.removeItem(at: file) }
        guard case .failure(let error) = await task.result else { return nil }
        #expect(response.error?.isExplicitlyCancelledError == error.isExplicitlyCancelledError)
        return error
      }
    case .stream:
      let request = session.streamRequest(url)
      let task = request.streamTask()
      let parts = task.streamingData()
      return Steered(request: request, cancel: task.cancel, resume: task.resume, suspend: task.suspend) {
        var end: DataStreamRequest.Completion?
        for await part in parts { end = part.completion }
        #expect(end != nil)
        return end?.error
      }
    case .webSocket:
      let request = session.webSocketRequest(to: "ws" + url.dropFirst(4))
      let task = request.webSocketTask()
      let events = task.streamingMessageEvents()
      return Steered(request: request, cancel: task.cancel, resume: task.resume, suspend: task.suspend) {
        var end: WebSocketRequest.Completion?
        for await event in events {
          if case .completed(let completion) = event.kind { end = completion }
        }
        #expect(end != nil)
        return end?.error
      }
    }
  }

  @Test(arguments: Kind.allCases) func suspendedItWaitsToBeResumed(kind: Kind) async {
    let steered = steered(kind)
    steered.suspend()
    #expect(steered.request.isSuspended)
    #expect(steered.request.tasks.allSatisfy { $0.state == .suspended } && origin.requests.isEmpty)
    steered.resume()
    #expect(await steered.end() == nil)
    #expect(origin.requests.count == 1)
  }

  @Test(arguments: Kind.allCases) func cancelledBeforeItStartsNothingIsSent(kind: Kind) async {
    let steered = steered(kind)
    steered.cancel()
    #expect(steered.request.isCancelled)
    #expect(await steered.end()?.isExplicitlyCancelledError == true)
    #expect(origin.connectionCount == 0)
  }

  @Test(arguments: Kind.allCases) func cancelledOnTheWayItEndsAtOnce(kind: Kind) async {
    origin.script("/silent", .silence)
    let steered = steered(kind, "/silent")
    steered.resume()
    await Eventually.expect("The server has it.") { origin.requests.count == 1 }
    steered.cancel()
    #expect(await steered.end()?.isExplicitlyCancelledError == true)
    await Eventually.expect("Its connection is closed.") { origin.openConnections == 0 }
  }

  /// What a suspended stream has not read waits on the network, also if it has readers.
  @Test func aSuspendedStreamReadsNothingMore() async throws {
    let total = 6_000_000
    let task = session.streamRequest(origin.baseURL + "/manyBytes/\(total)").streamTask()
    let parts = task.streamingData()
    task.resume()
    let started = Recorder<Int>()
    let reading = Task {
      var count = 0
      for await part in parts {
        guard let data = part.value else { continue }
        if count == 0 { task.suspend() }
        count += data.count
        started.note(count)
      }
      return count
    }
    await Eventually.expect("The first part is read.") { !started.entries.isEmpty }
    // Time for all of it, were it read.
    for _ in 0..<3 { #expect(try await other(bytes: total) == total) }
    #expect(started.entries.last ?? total < total)
    task.resume()
    #expect(await reading.value == total)
  }

  @Test func aSuspendedWebSocketReadsNothingMore() async throws {
    let request = session.webSocketRequest(
      to: "ws" + origin.baseURL.dropFirst(4) + "/websocket/payloads/1000",
      headers: ["X-Long": String(repeating: "x", count: 6000)])
    let task = request.webSocketTask()
    let messages = task.streamingMessages()
    task.resume()
    let heard = Recorder<Int>()
    let reading = Task {
      var count = 0
      for await _ in messages {
        if count == 0 { task.suspend() }
        count += 1
        heard.note(count)
      }
      return count
    }
    await Eventually.expect("The first message is read.") { !heard.entries.isEmpty }
    for _ in 0..<3 { #expect(try await other(bytes: 6_000_000) == 6_000_000) }
    #expect(heard.entries.last ?? 1000 < 1000)
    task.resume()
    #expect(await reading.value == 1000)
    #expect(request.error == nil)
  }

  private func other(bytes: Int) async throws -> Int {
    let task = session.request(origin.baseURL + "/manyBytes/\(bytes)").serializingData()
    task.resume()
    return try await task.value.count
  }

  /// In a Swift task that is cancelled already, nobody would read.
  @Test(arguments: [Kind.stream, .webSocket]) func whoIsCancelledStartsNothing(kind: Kind) async {
    let session = Session(configuration: .patientInMemory)
    let (url, baseURL) = (origin.baseURL + "/get", origin.baseURL)
    let waiting = Task {
      while !Task.isCancelled { await Task.yield() }
      guard kind == .webSocket else {
        let request = session.streamRequest(url)
        _ = request.streamTask().streamingData()
        return request as Request
      }
      let request = session.webSocketRequest(to: "ws" + baseURL.dropFirst(4) + "/websocket/echo")
      _ = request.webSocketTask().streamingMessages()
      return request
    }
    waiting.cancel()
    #expect(await waiting.value.isCancelled)
    #expect(origin.requests.isEmpty)
  }
}
