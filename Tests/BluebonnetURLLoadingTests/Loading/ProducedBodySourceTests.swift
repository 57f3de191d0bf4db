// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetTestSupport
import BluebonnetTransport
import Testing

@testable import BluebonnetURLLoading

/// Bodies that a task produces, and the loop takes.
@Suite struct ProducedBodySourceTests {
  /// A body of numbered pieces that counts how far it has come.
  private final class Producer: Sendable {
    let begun = Locked(0)
    let written = Locked(0)
    let ended = Signal()

    func body(_ count: Int, size: Int, length: Int64? = nil, replayObstacle: String? = nil) -> StreamedBody {
      StreamedBody(length: length, replayObstacle: replayObstacle) { [self] writer in
        begun.withLock { $0 += 1 }
        defer { ended.raise() }
        for number in 0..<count {
          try await writer.write(Data(repeating: UInt8(truncatingIfNeeded: number), count: size))
          written.withLock { $0 += 1 }
        }
      }
    }
  }

  /// Takes what is there, and waits for what is not.
  private func take(_ source: ProducedBodySource, limit: Int = .max) async throws -> Data {
    try await detached { try Self.take(source, limit: limit) }
  }

  private static func take(_ source: ProducedBodySource, limit: Int) throws -> Data {
    var (taken, seen) = (Data(), 0)
    let signal = Signal()
    source.attach { signal.raise() }
    while taken.count < limit {
      let reading = source.lend { bytes in
        #expect(!bytes.isEmpty)
        let count = min(bytes.count, limit - taken.count)
        taken.append(contentsOf: bytes[..<count])
        return count
      }
      switch reading {
      case .lent: break
      case .end: return taken
      case .later:
        seen += 1
        try #require(signal.wait(for: seen), "what was put off is announced")
      case .failed(let text, _):
        Issue.record("\(text)")
        return taken
      }
    }
    return taken
  }

  @Test(arguments: [(1, 1), (100_000, 7), (3, 1_000_000), (64, 65_536), (0, 0)], [true, false])
  func everythingComesInOrder(shape: (count: Int, size: Int), isMeasured: Bool) async throws {
    let length = isMeasured ? Int64(shape.count * shape.size) : nil
    let source = ProducedBodySource(Producer().body(shape.count, size: shape.size, length: length))
    #expect(source.length.map(Int64.init) == (length == 0 ? nil : length))
    let expected = (0..<shape.count).reduce(into: Data()) {
      $0.append(Data(repeating: UInt8(truncatingIfNeeded: $1), count: shape.size))
    }
    #expect(try await take(source) == expected)
    source.detach()
  }

  /// A quarter of a megabyte is ahead, and no more; each piece that is taken makes room for another.
  @Test func theProducerWaitsForTheWire() async throws {
    let producer = Producer()
    let source = ProducedBodySource(producer.body(1000, size: 65_536))
    let signal = Signal()
    source.attach { signal.raise() }
    #expect(producer.begun.withLock { $0 } == 0, "nobody has asked")
    guard case .later = source.lend(to: { _ in 0 }) else {
      Issue.record("nothing can be there yet")
      return
    }
    #expect(await detachedWait(signal))
    await Eventually.expect("four pieces fit") { producer.written.withLock { $0 } == 4 }
    // Lending makes the room for four more, of which none is taken.
    guard case .lent = source.lend(to: { _ in 0 }) else {
      Issue.record("there is something")
      return
    }
    await Eventually.expect("four more fit") { producer.written.withLock { $0 } == 8 }
    for _ in 0..<100 { _ = source.lend(to: { _ in 0 }) }
    #expect(producer.written.withLock { $0 } == 8)
    source.detach()
    #expect(await detachedWait(producer.ended), "whoever is not wanted any more is told")
    #expect(producer.written.withLock { $0 } == 8)
  }

  private func detachedWait(_ signal: Signal) async -> Bool {
    (try? await detached { signal.wait() }) ?? false
  }

  /// The last byte waits until there is known to be no other.
  @Test func aBodyThatIsTooLongIsNeverComplete() async throws {
    let source = ProducedBodySource(Producer().body(3, size: 2, length: 4))
    let signal = Signal()
    source.attach { signal.raise() }
    var (taken, seen) = (0, 0)
    while true {
      switch source.lend(to: { bytes in
        taken += bytes.count
        return bytes.count
      }) {
      case .lent: continue
      case .later:
        seen += 1
        let target = seen
        #expect(try await detached { signal.wait(for: target) })
        continue
      case .end: Issue.record("it is no body of four bytes")
      case .failed(let text, let cause):
        #expect(text == "it is longer than its declared length, 4 bytes")
        #expect(cause == nil)
      }
      break
    }
    #expect(taken == 3)
  }

  @Test(arguments: [0, 1, 300_000]) func aBodyThatIsSentAgainBeginsAtItsStart(limit: Int) async throws {
    let producer = Producer()
    let source = ProducedBodySource(producer.body(20, size: 65_536))
    let first = try await take(source, limit: limit)
    #expect(first.count == limit)
    #expect(source.canRewind && source.rewind())
    let whole = try await take(source)
    #expect(whole.count == 20 * 65_536)
    #expect(whole.starts(with: first))
    #expect(producer.begun.withLock { $0 } == (limit == 0 ? 1 : 2))
  }

  @Test func aBodyThatCanBeSentOnceSaysSo() async throws {
    let source = ProducedBodySource(Producer().body(1, size: 1, replayObstacle: "it is a test"))
    #expect(source.canRewind && source.rewind(), "nothing is lost of what nobody has asked for")
    #expect(try await take(source).count == 1)
    #expect(!source.canRewind && !source.rewind())
    #expect(source.replayObstacle == "it is a test")
    #expect(source.body.isSpent)
  }

  @Test func aStreamOfItReadsTheSame() async throws {
    let stream = StreamedBodyInputStream(Producer().body(20, size: 30_000))
    #expect(stream.streamStatus == .notOpen)
    nonisolated(unsafe) let reader = stream
    let whole = try await detached {
      reader.open()
      var whole = Data()
      var buffer = [UInt8](repeating: 0, count: 7000)
      while true {
        let count = reader.read(&buffer, maxLength: buffer.count)
        if count <= 0 { return whole }
        whole.append(contentsOf: buffer[..<count])
      }
    }
    #expect(whole.count == 600_000)
    #expect(stream.streamStatus == .atEnd)
    #expect(stream.streamError == nil)
  }

  /// Whoever waits for bytes is let go when another thread closes the stream.
  @Test func closingTheStreamLetsItsReaderGo() async throws {
    let mayGoOn = Signal()
    let stream = StreamedBodyInputStream(
      StreamedBody(length: nil, replayObstacle: nil) { _ in
        await Pause.forever()
        mayGoOn.raise()
      })
    nonisolated(unsafe) let reader = stream
    let ended = Signal()
    stream.open()
    let reading = Task.detached {
      try await detached {
        var byte: UInt8 = 0
        let count = reader.read(&byte, maxLength: 1)
        ended.raise()
        return count
      }
    }
    reader.close()
    try #require(try await detached { ended.wait(seconds: 120) }, "nobody waits any more")
    #expect(try await reading.value <= 0)
  }
}
