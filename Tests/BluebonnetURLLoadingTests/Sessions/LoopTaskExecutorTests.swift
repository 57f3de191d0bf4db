// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Synchronization
import Testing

/// Tasks that run on a session's event loop.
@Suite struct LoopTaskExecutorTests {
  private let loop = URLSessionConfiguration.EventLoop(name: "tasks")
  private let session: URLSession
  private let origin: Origin

  init() {
    origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    configuration.eventLoop = loop
    configuration.timeoutIntervalForRequest = 600
    session = URLSession(configuration: configuration)
  }

  private func url(_ path: String) throws -> URL { try #require(URL(string: origin.baseURL + path)) }

  @Test func requestsOneAfterTheOther() async throws {
    let url = try url("/get")
    try await withTaskExecutorPreference(loop.taskExecutor) {
      for _ in 0..<200 {
        #expect(loop.loop.isHeld)
        let (_, response) = try await session.data(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
      }
    }
    #expect(origin.connectionCount == 1)
  }

  private final class Gauge: Sendable {
    let inside = Atomic<Int>(0)
    let most = Atomic<Int>(0)

    func pass() {
      most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
      inside.subtract(1, ordering: .relaxed)
    }
  }

  /// Nothing of it runs at the same time as anything else of it.
  @Test func tasksTakeTurns() async throws {
    let url = try url("/get")
    let gauge = Gauge()
    await withTaskExecutorPreference(loop.taskExecutor) {
      await withTaskGroup(of: Int?.self) { group in
        for _ in 0..<100 {
          group.addTask { [session] in
            var status: Int?
            for _ in 0..<3 {
              gauge.pass()
              status = ((try? await session.data(from: url))?.1 as? HTTPURLResponse)?.statusCode
            }
            return status
          }
        }
        for await status in group { #expect(status == 200) }
      }
    }
    #expect(gauge.most.load(ordering: .relaxed) == 1)
  }

  @Test func cancellationsAndFailures() async throws {
    origin.script("/silent", ScriptedReply([.hang]))
    let (slow, gone) = (try url("/silent"), try #require(URL(string: "http://127.0.0.1:1/")))
    await withTaskExecutorPreference(loop.taskExecutor) {
      let task = Task { try await session.data(from: slow) }
      await Eventually.expect("it is asked") { origin.requests.count == 1 }
      task.cancel()
      let error = await #expect(throws: URLError.self) { try await task.value }
      #expect(error?.code == .cancelled)
      let other = await #expect(throws: URLError.self) { try await session.data(from: gone) }
      #expect(other?.code == .cannotConnectToHost)
    }
  }

  /// The executor keeps its loop, though no configuration and no session names it any more.
  @Test func theExecutorOutlivesItsSettings() async {
    var own: URLSessionConfiguration.EventLoop? = URLSessionConfiguration.EventLoop(name: "short")
    let executor = own?.taskExecutor
    own = nil
    let sum = await withTaskExecutorPreference(executor) {
      var sum = 0
      for number in 0..<100 {
        await Task.yield()
        sum += number
      }
      return sum
    }
    #expect(sum == 4950)
  }

  #if DEBUG
    private static func block(lookingMeanwhile looks: Bool) async {
      let loop = URLSessionConfiguration.EventLoop(name: "blocked")
      await withTaskExecutorPreference(loop.taskExecutor) {
        DispatchQueue(label: "looks").async {
          Pause.take(microseconds: 2_300_000)
          if looks { loop.loop.execute {} }
        }
        Pause.take(microseconds: 2_600_000)
      }
      // The task's step has ended when the loop is free.
      loop.loop.withLoop {}
    }

    @Test func aTaskThatBlockedTheLoopIsToldOf() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await Self.block(lookingMeanwhile: false)
      }
      #expect(Self.complaints(result) == ["kept"])
    }

    /// By somebody who wants the loop: it might go on for ever.
    @Test func aTaskThatBlocksTheLoopIsToldOf() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await Self.block(lookingMeanwhile: true)
      }
      #expect(Self.complaints(result) == ["has kept"])
    }

    private static func complaints(_ result: ExitTest.Result) -> [String] {
      String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n").compactMap { line in
        guard line.hasPrefix("bluebonnet: a task on EventLoop.taskExecutor ") else { return nil }
        return line.contains(" has kept its event loop ") ? "has kept" : "kept"
      }
    }
  #endif
}
