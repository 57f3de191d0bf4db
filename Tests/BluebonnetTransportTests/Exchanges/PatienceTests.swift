// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetLocks
import Testing

@testable import BluebonnetTransport

/// A limit on silence is for the peer's silence, and for nothing else.
@Suite struct PatienceTests {
  /// One byte at a time, each some time after the one before.
  private final class SlowSource: BodySource {
    private struct State {
      var left = 8
      var isReady = false
      /// The next byte is on its way.
      var isAwaited = false
      var signal: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let loop: EventLoop

    init(on loop: EventLoop) { self.loop = loop }

    var isAwaited: Bool { state.withLock { $0.isAwaited } }

    var length: Int? { 8 }

    func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
      state.withLock { state in
        guard state.left > 0 else { return .end }
        if state.isReady {
          let taken = withUnsafeBytes(of: UInt8(ascii: "a")) { use($0) }
          guard taken > 0 else { return .lent }
          state.isReady = false
          state.left -= 1
          return .lent
        }
        state.isAwaited = true
        _ = loop.schedule(at: loop.now.adding(.milliseconds(400))) {
          self.state.withLock { state -> (@Sendable () -> Void)? in
            (state.isReady, state.isAwaited) = (true, false)
            return state.signal
          }?()
        }
        return .later
      }
    }

    func rewind() -> Bool { false }

    func attach(signal: @escaping @Sendable () -> Void) {
      state.withLock { $0.signal = signal }
    }
  }

  /// Its clock is the tests'.
  private let loop: EventLoop
  private let pool: ConnectionPool

  init() {
    loop = .stopped()
    pool = ConnectionPool(configuration: .inMemory, loop: loop)
  }

  @Test(arguments: [false, true]) func anUploadThatGoesOnIsNotLate(asks: Bool) async throws {
    let origin = Origin.inMemory()
    defer { pool.loop.withLoop { pool.invalidate() } }
    defer { loop.stopLater() }
    let (probe, source) = (ExchangeProbe(), SlowSource(on: loop))
    let request = ExchangeRequest.plain(
      to: origin.port, path: "/post", body: .source(source), expectsContinue: asks,
      timeouts: Timeouts(everyPhase: 2_500_000_000))
    pool.loop.execute { [pool] in RequestDriver(request, in: pool, client: probe).start() }
    for _ in 0..<8 {
      await Eventually.expect("the next byte is on its way") { source.isAwaited || probe.record.isComplete }
      loop.advance(by: .milliseconds(400))
    }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil)
    #expect(probe.record.status == 200)
  }

  /// Nobody reads a response that is held back, so nobody can say that it does not come.
  @Test func whatIsHeldBackBeforeTheFirstByteIsNotLate() async throws {
    let origin = Origin.inMemory()
    defer { pool.loop.withLoop { pool.invalidate() } }
    defer { loop.stopLater() }
    let probe = ExchangeProbe()
    let request = ExchangeRequest.plain(
      to: origin.port, path: "/get", timeouts: Timeouts(everyPhase: 100_000_000))
    let exchange = pool.loop.withLoop { RequestDriver(request, in: pool, client: probe) }
    pool.loop.withLoop {
      exchange.start()
      exchange.hold(.caller)
    }
    await Eventually.expect("it has been answered") { origin.requests.count == 1 }
    loop.advance(by: .seconds(3600))
    #expect(!probe.record.isComplete)
    pool.loop.withLoop { exchange.release(.caller) }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil)
    #expect(probe.record.status == 200)
  }
}
