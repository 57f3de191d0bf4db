import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTLS
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
      var signal: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

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
        let loop = EventLoop.shared
        _ = loop.schedule(at: loop.now.adding(.milliseconds(400))) {
          self.state.withLock { state -> (@Sendable () -> Void)? in
            state.isReady = true
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

  private let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()))

  @Test(arguments: [false, true]) func anUploadThatGoesOnIsNotLate(asks: Bool) async throws {
    let origin = try Origin.start()
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    let request = ExchangeRequest.plain(
      to: origin.port, path: "/post", body: .source(SlowSource()), expectsContinue: asks,
      timeouts: Timeouts(everyPhase: 2_500_000_000))
    pool.loop.execute { [pool] in RequestDriver(request, in: pool, client: probe).start() }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil)
    #expect(probe.record.status == 200)
  }

  /// Nobody reads a response that is held back, so nobody can say that it does not come.
  @Test func whatIsHeldBackBeforeTheFirstByteIsNotLate() async throws {
    let origin = try Origin.start()
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    let request = ExchangeRequest.plain(
      to: origin.port, path: "/get", timeouts: Timeouts(everyPhase: 100_000_000))
    let exchange = pool.loop.withLoop { RequestDriver(request, in: pool, client: probe) }
    pool.loop.withLoop {
      exchange.start()
      exchange.hold(.caller)
    }
    try await Task.sleep(for: .milliseconds(400))
    #expect(!probe.record.isComplete)
    pool.loop.withLoop { exchange.release(.caller) }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil)
    #expect(probe.record.status == 200)
  }
}
