// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetTLS
import BluebonnetTestClock
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport

/// A body is sent when the peer's kernel has it: the megabytes that lie in this machine's are neither progress nor silence.
@Suite struct UploadProgressTests {
  /// A pool on a loop whose clock is the test's.
  private func pool() -> ConnectionPool {
    ConnectionPool(configuration: .init(tls: TLSClientConfiguration()), loop: .stopped())
  }

  private func end(_ pool: ConnectionPool) {
    pool.loop.withLoop { pool.invalidate() }
    pool.loop.stopLater()
  }

  private static let size = 6 << 20

  @Test func aSlowLinkIsNeitherLateNorAheadOfItself() async throws {
    let pool = pool()
    let probe = ExchangeProbe()
    let lead = Locked(0)
    let peer = try BlockingPeer { descriptor in
      try? Syscall.setBuffers(descriptor, sending: nil, receiving: 131_072)
      var page = [UInt8](repeating: 0, count: 16_384)
      var taken = 0
      while taken < Self.size {
        let more = recv(descriptor, &page, page.count, 0)
        guard more > 0 else { return }
        taken += more
        // 1.6 MB/s: what a kernel takes at once is on its way for longer than the limit.
        pool.loop.advance(by: .milliseconds(10))
        let ahead = probe.record.sent - taken
        lead.withLock { $0 = Swift.max($0, ahead) }
      }
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
      _ = send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
      while recv(descriptor, &page, page.count, 0) > 0 {}
    }
    defer { end(pool) }
    let request = ExchangeRequest.plain(
      to: peer.port, body: .source(PlainSource(size: Self.size)),
      timeouts: Timeouts(sending: 1_000_000_000, firstByte: 1_000_000_000))
    pool.loop.execute { RequestDriver(request, in: pool, client: probe).start() }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil)
    #expect(probe.record.status == 200)
    #expect(probe.record.sent == Self.size)
    // The peer's own buffer, and no more.
    #expect(lead.withLock { $0 } < 1 << 20)
  }

  /// Nobody takes anything any more.
  @Test func aStalledUploadIsLateWhileSending() async throws {
    let pool = pool()
    let release = Signal()
    let peer = try BlockingPeer { descriptor in
      try? Syscall.setBuffers(descriptor, sending: nil, receiving: 65_536)
      _ = release.wait()
    }
    defer { release.raise() }
    defer { end(pool) }
    let probe = ExchangeProbe()
    let request = ExchangeRequest.plain(
      to: peer.port, body: .source(PlainSource(size: Self.size)),
      timeouts: Timeouts(everyPhase: 1_500_000_000))
    pool.loop.execute { RequestDriver(request, in: pool, client: probe).start() }
    await pool.loop.advance(by: .milliseconds(50), until: "it fails") { probe.record.isComplete }
    let error = try #require(probe.record.error)
    guard case .timedOut = error.cause else {
      Issue.record(error)
      return
    }
    #expect(error.phase == .sending)
    #expect(error.seconds == 1.5)
    #expect(probe.record.sent < Self.size)
  }

  /// What the peer has, it has: a small body does not make its silence shorter or longer.
  @Test(arguments: [1, 100_000, 1_000_000])
  func aServerThatKeepsSilentAfterwardsIsLateThen(size: Int) async throws {
    let pool = pool()
    let hasAll = Signal()
    let peer = try BlockingPeer { descriptor in
      var page = [UInt8](repeating: 0, count: 65_536)
      var taken: [UInt8] = []
      while case let more = recv(descriptor, &page, page.count, 0), more > 0 {
        taken += page[..<more]
        guard let headEnd = taken.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
        if taken.count - headEnd.upperBound == size { hasAll.raise() }
      }
    }
    defer { end(pool) }
    let probe = ExchangeProbe()
    let request = ExchangeRequest.plain(
      to: peer.port, body: .source(PlainSource(size: size)), timeouts: Timeouts(everyPhase: 1_500_000_000))
    pool.loop.execute { RequestDriver(request, in: pool, client: probe).start() }
    #expect(try await detached { hasAll.wait() })
    let start = pool.loop.instant
    await pool.loop.advance(by: .milliseconds(50), until: "it fails") { probe.record.isComplete }
    #expect(pool.loop.instant.since(start) >= .milliseconds(1500))
    #expect(probe.record.error?.phase == .waiting)
    #expect(probe.record.error?.seconds == 1.5)
    #expect(probe.record.sent == size)
  }

  @Test func theMeterCountsEachByteOnce() {
    var meter = UploadMeter()
    meter.begin(length: 1_000_000)
    meter.staged(600_000)
    #expect(meter.isOutstanding)
    #expect(meter.takeUntold() == 0)
    #expect(meter.measured(onThisSide: 700_000) == false, "the head and what is left of the body")
    #expect(meter.measured(onThisSide: 200_000) == true)
    #expect(meter.takeUntold() == 400_000)
    #expect(meter.measured(onThisSide: 300_000) == false, "never back")
    #expect(meter.takeUntold() == 0)
    meter.restart()
    meter.staged(1_000_000)
    #expect(meter.measured(onThisSide: 700_000) == true)
    #expect(meter.takeUntold() == 0, "told before")
    #expect(meter.measured(onThisSide: 0) == true)
    #expect(meter.takeUntold() == 600_000)
    #expect(!meter.isOutstanding)
  }

  @Test(
    arguments: [
      (nil, true), (0, false), (UploadMeter.worthMeasuring, false), (UploadMeter.worthMeasuring + 1, true),
    ] as [(Int?, Bool)])
  func smallBodiesAreNotMeasured(length: Int?, isMeasured: Bool) {
    var meter = UploadMeter()
    meter.begin(length: length)
    #expect(meter.isMeasured == isMeasured)
    meter.staged(10)
    #expect(meter.takeUntold() == (isMeasured ? 0 : 10))
  }

  /// The caller has suspended the task: the server waits for the rest of the body, and nothing is late.
  @Test(arguments: [1, Self.size]) func aSuspendedUploadSendsNoMore(size: Int) async throws {
    let pool = pool()
    let taken = Locked(0)
    let peer = try BlockingPeer { descriptor in
      var page = [UInt8](repeating: 0, count: 65_536)
      var isHead = true
      while taken.withLock({ $0 }) < size {
        let more = recv(descriptor, &page, page.count, 0)
        guard more > 0 else { return }
        let body = isHead ? page[..<more].firstRange(of: Array("\r\n\r\n".utf8))?.upperBound : 0
        guard let body else { continue }
        isHead = false
        taken.withLock { $0 += more - body }
      }
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
      _ = send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
    }
    defer { end(pool) }
    let probe = ExchangeProbe()
    let request = ExchangeRequest.plain(
      to: peer.port, body: .source(PlainSource(size: size)), timeouts: Timeouts(everyPhase: 60_000_000_000))
    let driver = pool.loop.withLoop { RequestDriver(request, in: pool, client: probe) }
    pool.loop.execute {
      driver.hold([.caller, .backlog])
      driver.start()
    }
    await Eventually.expect("the head is sent") {
      pool.loop.withLoop { driver.withMetrics { $0.requestStart != nil } }
    }
    pool.loop.advance(by: .seconds(3600))
    await withCheckedContinuation { behind in pool.loop.enqueue { behind.resume() } }
    #expect(taken.withLock { $0 } == 0 && probe.record.sent == 0 && !probe.record.isComplete)
    // Whatever else holds the response back has nothing to do with the request.
    pool.loop.withLoop { driver.release(.caller) }
    await Eventually.expect("the body is sent") { taken.withLock { $0 } == size }
    pool.loop.withLoop { driver.release(.backlog) }
    await pool.loop.advance(by: .milliseconds(10), until: "it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil && probe.record.status == 200 && probe.record.sent == size)
  }

  /// In the middle of a body.
  @Test func anUploadIsSuspendedAndGoesOn() async throws {
    // Far more than the kernels take.
    let size = 2 * Self.size
    let pool = pool()
    let (half, mayGoOn) = (Signal(), Signal())
    let peer = try BlockingPeer { descriptor in
      try? Syscall.setBuffers(descriptor, sending: nil, receiving: 65_536)
      var page = [UInt8](repeating: 0, count: 65_536)
      var taken = 0
      while taken < size {
        let more = recv(descriptor, &page, page.count, 0)
        guard more > 0 else { return }
        taken += more
        if taken > size / 4, taken - more <= size / 4 {
          half.raise()
          #expect(mayGoOn.wait(seconds: 600))
        }
      }
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
      _ = send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
      while recv(descriptor, &page, page.count, 0) > 0 {}
    }
    defer { end(pool) }
    let probe = ExchangeProbe()
    let source = PlainSource(size: size)
    let request = ExchangeRequest.plain(to: peer.port, body: .source(source))
    let driver = pool.loop.withLoop { RequestDriver(request, in: pool, client: probe) }
    pool.loop.execute { driver.start() }
    #expect(try await detached { half.wait(seconds: 600) })
    pool.loop.withLoop { driver.hold(.caller) }
    let lent = source.lent
    mayGoOn.raise()
    // The peer takes all that lies in the kernels, and waits.
    await pool.loop.advance(by: .milliseconds(100), until: "the kernels are empty") {
      pool.loop.withLoop {
        guard case .exchanging(let connection) = driver.state.stage else { return false }
        return connection.channel.unacknowledgedBytes == 0
      }
    }
    #expect(source.lent == lent && lent < size)
    pool.loop.withLoop { driver.release(.caller) }
    await pool.loop.advance(by: .milliseconds(100), until: "it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil && probe.record.status == 200 && probe.record.sent == size)
  }
}
