// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

/// Sessions on loops of their own.
@Suite struct EventLoopSettingTests {
  /// How many threads of this process have that name.
  private static func threads(named name: String) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      guard let file = fopen("/proc/self/task/\(task)/comm", "re") else { return false }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 64)
      guard fgets(&line, 64, file) != nil else { return false }
      return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) == name
        + "\n"
    }
  }

  @Test func theDefaultIsTheProcessesOne() {
    #expect(URLSessionConfiguration.default.eventLoop == .shared)
    #expect(URLSessionConfiguration.ephemeral.eventLoop == .shared)
    #expect(URLSessionConfiguration.EventLoop.shared.name == "bluebonnet")
    let own = URLSessionConfiguration.EventLoop(name: "own")
    #expect(own != .shared && own != URLSessionConfiguration.EventLoop(name: "own"))
    #expect(own.name == "own")
    #expect(Set([own, own, .shared]).count == 2)
  }

  @Test(arguments: [true, false])
  func aBusyLoopLeavesTheOthersAlone(onTheLoop: Bool) async throws {
    let origin = try Origin.start()
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let configurations = ["busy", "free"].map { name in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.eventLoop = URLSessionConfiguration.EventLoop(name: name)
      return configuration
    }
    let sessions = configurations.map { configuration in
      onTheLoop
        ? URLSession(configuration: configuration, delegate: nil, executor: configuration.loopExecutor)
        : URLSession(configuration: configuration)
    }
    let (started, ended) = (Signal(), Signal())
    let (outcome, answer) = AsyncStream.makeStream(of: Bool.self)
    configurations[0].eventLoop.loop.enqueue {
      started.raise()
      // Ends behind the hundred requests, or not at all.
      answer.yield(ended.wait(for: 100, seconds: 60))
    }
    #expect(started.wait())
    let late = Signal()
    sessions[0].dataTask(with: url) { _, response, _ in
      if (response as? HTTPURLResponse)?.statusCode == 200 { late.raise() }
    }.resume()
    for _ in 0..<100 {
      sessions[1].dataTask(with: url) { _, response, _ in
        if (response as? HTTPURLResponse)?.statusCode == 200 { ended.raise() }
      }.resume()
    }
    #expect(await outcome.first { _ in true } == true)
    await Eventually.expect("the busy loop goes on") { late.wait(seconds: 0) }
    for session in sessions { session.invalidateAndCancel() }
  }

  @Test func theThreadEndsWithTheLastSession() async throws {
    let origin = try Origin.start()
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let name = "loop-\(UInt32.random(in: 0..<0xFF_FFFF))"
    #expect(Self.threads(named: name) == 0)
    func load() async throws {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.eventLoop = URLSessionConfiguration.EventLoop(name: name)
      let session = URLSession(configuration: configuration)
      let (_, response) = try await session.data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(session.configuration.eventLoop == configuration.eventLoop)
      await Eventually.expect("the thread has its name") { Self.threads(named: name) == 1 }
      session.finishTasksAndInvalidate()
    }
    try await load()
    await Eventually.expect("the thread has ended") { Self.threads(named: name) == 0 }
  }

  /// A session that is dropped in the middle of a load: the load goes on, and the loop with it.
  @Test func aLoadKeepsItsLoop() async throws {
    let origin = try Origin.start()
    let url = try #require(URL(string: origin.baseURL + "/manyBytes/3000000"))
    let count = await withCheckedContinuation { (continuation: CheckedContinuation<Int?, Never>) in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.eventLoop = URLSessionConfiguration.EventLoop(name: "dropped")
      URLSession(configuration: configuration).dataTask(with: url) { data, _, _ in
        continuation.resume(returning: data?.count)
      }.resume()
    }
    #expect(count == 3_000_000)
  }
}
