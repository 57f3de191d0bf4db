// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Synchronization
import Testing

/// `waitsForConnectivity`: a load without a way to its host waits for one.
@Suite(.serialized) struct ConnectivityTests {
  /// TCP to a broadcast address has no route on Linux, whatever the network looks like.
  private static let nowhere = "http://255.255.255.255:9/"

  private func session(
    waits: Bool, resource: Double = 60, _ delegate: AnsweringDelegate,
    configuration: URLSessionConfiguration = .ephemeral
  ) -> URLSession {
    configuration.waitsForConnectivity = waits
    configuration.timeoutIntervalForResource = resource
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  @Test func withoutItTheLoadFails() async throws {
    let delegate = AnsweringDelegate()
    let session = session(waits: false, delegate)
    session.dataTask(with: try #require(URL(string: Self.nowhere))).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .notConnectedToInternet)
    #expect(!delegate.record.events.contains("waiting"))
    session.invalidateAndCancel()
  }

  @Test func theDelegateIsToldOnceAndTheResourceTimeOutEnds() async throws {
    let delegate = AnsweringDelegate()
    let configuration = URLSessionConfiguration.ephemeral
    let clock = configuration.stopClock()
    let session = session(waits: true, resource: 60, delegate, configuration: configuration)
    session.dataTask(with: try #require(URL(string: Self.nowhere))).resume()
    await Eventually.expect("it waits") { delegate.record.events.contains("waiting") }
    // Time for other attempts, which are not announced.
    for _ in 0..<60 { clock.advance(by: .seconds(1)) }
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .timedOut)
    #expect(delegate.record.events == ["created 1", "waiting", "complete"])
    session.invalidateAndCancel()
  }

  @Test func aWaitingTaskIsCancelled() async throws {
    let delegate = AnsweringDelegate()
    let session = session(waits: true, delegate)
    let task = session.dataTask(with: try #require(URL(string: Self.nowhere)))
    task.resume()
    await Eventually.expect("it waits") { delegate.record.events.contains("waiting") }
    task.cancel()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .cancelled)
    session.invalidateAndCancel()
    await Eventually.expect("the session ends") { session.delegate == nil }
  }

  /// The first lookup has no server to ask; the next one knows the host.
  @Test func aWayThatOpensIsTaken() async throws {
    let origin = try Origin.start()
    let lookups = Atomic(0)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.waitsForConnectivity = true
    configuration.resolver = { host in
      let isFirst = lookups.add(1, ordering: .relaxed).oldValue == 0
      return isFirst
        ? .failure(LookupFailure(host: host, code: EAI_AGAIN, errno: 0)) : .success([.loopback(port: 0)])
    }
    let delegate = AnsweringDelegate()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    var request = URLRequest(url: try #require(URL(string: "http://a.test:\(origin.port)/post")))
    request.httpMethod = "POST"
    session.uploadTask(with: request, from: Data("body".utf8)).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.error == nil)
    #expect(delegate.record.events.prefix(3) == ["created 1", "waiting", "response"])
    #expect(origin.requests.last?.body == Array("body".utf8))
    session.invalidateAndCancel()
  }

  /// It would wait for an hour, but the network changes.
  @Test(.enabled(if: NetworkNamespace.isPermitted)) func aChangeOfTheNetworkIsHeardOf() async throws {
    let origin = try Origin.start()
    let network = try await NetworkNamespace()
    let socket = Atomic<Int32>(try await network.run { try NetworkWatch.socket().release() })
    let lookups = Atomic(0)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.waitsForConnectivity = true
    configuration.firstConnectivityPause = 3_600_000_000_000
    configuration.networkWatcher = { loop, onChange throws(SystemError) in
      let descriptor = socket.exchange(-1, ordering: .acquiringAndReleasing)
      return try NetworkWatch(loop: loop, socket: FileDescriptor(owning: descriptor), onChange: onChange)
    }
    configuration.resolver = { host in
      let isFirst = lookups.add(1, ordering: .relaxed).oldValue == 0
      return isFirst
        ? .failure(LookupFailure(host: host, code: EAI_AGAIN, errno: 0)) : .success([.loopback(port: 0)])
    }
    let delegate = AnsweringDelegate()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: try #require(URL(string: "http://a.test:\(origin.port)/get"))).resume()
    await Eventually.expect("it waits") { delegate.record.events.contains("waiting") }
    try await network.ip("link set lo up")
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.error == nil)
    #expect(lookups.load(ordering: .relaxed) == 2)
    session.invalidateAndCancel()
    await Eventually.expect("the session ends") { session.delegate == nil }
  }

  /// Where the system refuses to tell of changes, the load looks again by itself.
  @Test func withoutAWatchItLooksAgain() async throws {
    let origin = try Origin.start()
    let lookups = Atomic(0)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.waitsForConnectivity = true
    configuration.firstConnectivityPause = 1_000_000
    configuration.networkWatcher = { _, _ throws(SystemError) in
      throw SystemError(errno: EPERM, call: "socket")
    }
    configuration.resolver = { host in
      let isEarly = lookups.add(1, ordering: .relaxed).oldValue < 2
      return isEarly
        ? .failure(LookupFailure(host: host, code: EAI_AGAIN, errno: 0)) : .success([.loopback(port: 0)])
    }
    let session = URLSession(configuration: configuration)
    let url = try #require(URL(string: "http://a.test:\(origin.port)/get"))
    let (_, response) = try await session.data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(lookups.load(ordering: .relaxed) == 3)
  }

  /// A name that does not exist is no lack of a network.
  @Test func anUnknownNameIsNotWaitedFor() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.waitsForConnectivity = true
    configuration.resolver = { .failure(LookupFailure(host: $0, code: EAI_NONAME, errno: 0)) }
    let session = URLSession(configuration: configuration)
    let url = try #require(URL(string: "http://a.test/"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .cannotFindHost)
  }

  /// A host that is there and refuses is no lack of a network.
  @Test func aRefusalIsNotWaitedOut() async throws {
    let port = try ClosedPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/get"))
    let delegate = AnsweringDelegate()
    let session = session(waits: true, delegate)
    session.dataTask(with: url).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .cannotConnectToHost)
    #expect(!delegate.record.events.contains("waiting"))
    session.invalidateAndCancel()
  }
}
