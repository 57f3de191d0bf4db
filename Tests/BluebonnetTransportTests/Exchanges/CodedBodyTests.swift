// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport

/// A few coded bytes become many: whoever takes them piece by piece gets no more than he asks for.
@Suite struct CodedBodyTests {
  /// A stream's reader.
  private final class Reader: IndifferentClient, Sendable {
    enum Temper: Sendable {
      /// Holds the body back behind each piece, and takes it by a job of its own.
      case slow
      /// The same behind some pieces only, and sometimes held and released in one.
      case fitful(seed: UInt64)
      /// Takes everything at once.
      case eager
      /// Holds the body back behind the first piece, until it is told otherwise.
      case halting
      /// Cancels behind so many pieces.
      case cancelling(after: Int)
    }

    struct Record: Sendable {
      var status: Int?
      var received: [UInt8] = []
      var count = 0
      var pieces = 0
      var areZeros = true
      /// Received, and not yet taken.
      var untaken = 0
      var most = 0
      var isComplete = false
      var error: TransportError?
      /// Something was told behind the end.
      var isToldLate = false
      var random: SeededGenerator
    }

    private let temper: Temper
    private let keeps: Bool
    private let state: Locked<Record>

    /// - Parameter keeps: It remembers what has come, and not only how much.
    init(_ temper: Temper, keeps: Bool = false) {
      self.temper = temper
      self.keeps = keeps
      let seed: UInt64 = if case .fitful(let seed) = temper { seed } else { 0 }
      state = Locked(Record(random: SeededGenerator(seed: seed)))
    }

    var record: Record { state.withLock { $0 } }

    func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {
      state.withLock { $0.status = head.status }
    }

    func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {
      let areZeros = Self.areZeros(bytes)
      let (pieces, chance) = state.withLock { record in
        if record.isComplete { record.isToldLate = true }
        if keeps { record.received += bytes }
        record.count += bytes.count
        record.areZeros = record.areZeros && areZeros
        record.untaken += bytes.count
        record.most = max(record.most, record.untaken)
        record.pieces += 1
        return (record.pieces, Int.random(in: 0..<4, using: &record.random))
      }
      switch temper {
      case .slow: take(exchange)
      case .fitful:
        if chance == 0 { take(exchange) }
        if chance == 1 {
          exchange.hold(.backlog)
          exchange.release(.backlog)
        }
      case .eager: break
      case .halting: if pieces == 1 { exchange.hold(.caller) }
      case .cancelling(let last): if pieces == last { exchange.cancel() }
      }
    }

    /// Looking at each would take an unoptimised build too long.
    private static func areZeros(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard let start = bytes.baseAddress, bytes.first == 0 else { return bytes.isEmpty }
      return memcmp(start, start + 1, bytes.count - 1) == 0
    }

    private func take(_ exchange: RequestDriver) {
      exchange.hold(.slowReader)
      exchange.loop.enqueue { [self] in
        state.withLock { $0.untaken = 0 }
        exchange.release(.slowReader)
      }
    }

    func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
      state.withLock {
        $0.isToldLate = $0.isToldLate || $0.isComplete
        $0.isComplete = true
        $0.error = error
      }
    }
  }

  /// How the same body comes.
  enum Bomb: CaseIterable, Sendable {
    case gzip, brotli, both

    /// So many zeros.
    var count: Int { self == .gzip ? 16 << 20 : 40 << 20 }

    var coded: [UInt8] {
      get throws {
        switch self {
        case .gzip: try ContentEncoder.encode([UInt8](repeating: 0, count: count), as: .gzip)
        case .brotli: Self.zeros
        case .both: try ContentEncoder.encode(Self.zeros, as: .gzip)
        }
      }
    }

    var codings: String {
      switch self {
      case .gzip: "gzip"
      case .brotli: "br"
      case .both: "br, gzip"
      }
    }

    /// 40 MiB, in brotli.
    private static let zeros: [UInt8] = [
      0xcb, 0xff, 0xff, 0x3f, 0xf8, 0x27, 0x00, 0xe2, 0xb1, 0x40, 0x20, 0xf7, 0xfe, 0x8f, 0xff, 0xff, 0x7f,
      0xf0, 0x4f, 0x00, 0xc4, 0x61, 0x11, 0x80, 0xee, 0xfd, 0x1f, 0xff, 0xff, 0xff, 0xe0, 0x9f, 0x00, 0x88,
      0xc3, 0x02, 0x00, 0xdd, 0xfb, 0x3f, 0xfe, 0xff, 0xff, 0xc1, 0x3f, 0x01, 0x10, 0x87, 0x05, 0x00, 0xba,
      0xf7, 0x7f, 0xf9, 0xff, 0xff, 0x87, 0x7f, 0x02, 0x20, 0x0e, 0x0b, 0x00, 0x74, 0xef, 0xff, 0x00,
    ]
  }

  private let origin: Origin
  private let pool = ConnectionPool(configuration: .inMemory)

  init() {
    origin = Origin.inMemory()
  }

  private func head(_ codings: String, _ length: Int?) -> String {
    "HTTP/1.1 200 OK\r\nContent-Encoding: \(codings)\r\n"
      + (length.map { "Content-Length: \($0)\r\n" } ?? "") + "\r\n"
  }

  private func start(_ path: String, _ reader: Reader) -> RequestDriver {
    pool.loop.withLoop {
      let driver = RequestDriver(.plain(to: origin.port, path: path), in: pool, client: reader)
      driver.start()
      return driver
    }
  }

  private func settled() async {
    await withCheckedContinuation { behind in pool.loop.enqueue { behind.resume() } }
  }

  @Test(arguments: Bomb.allCases)
  func whatASlowReaderHasNotTakenIsBounded(bomb: Bomb) async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    let coded = try bomb.coded
    origin.script("/bomb", .text(head(bomb.codings, coded.count)).then(.bytes(coded)))
    let reader = Reader(.slow)
    let driver = start("/bomb", reader)
    await Eventually.expect("it is complete") { reader.record.isComplete }
    let record = reader.record
    #expect(record.error == nil)
    #expect(record.count == bomb.count && record.areZeros)
    #expect(record.most <= ContentDecoder.largestPiece)
    #expect(pool.loop.withLoop { driver.withMetrics { $0.decodedBodyBytes } } == bomb.count)
    #expect(pool.loop.withLoop { driver.withMetrics { $0.responseBodyBytes } } == coded.count)
    // And the connection serves the next.
    let next = ExchangeProbe()
    pool.loop.execute { [pool, origin] in next.exchange(with: origin, path: "/get", in: pool).start() }
    await Eventually.expect("the next is complete") { next.record.isComplete }
    #expect(next.record.status == 200)
    #expect(origin.connectionCount == 1)
  }

  @Test(arguments: Bomb.allCases)
  func nothingComesWhileItIsHeld(bomb: Bomb) async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    let coded = try bomb.coded
    origin.script("/bomb", .text(head(bomb.codings, coded.count)).then(.bytes(coded)))
    let reader = Reader(.halting)
    let driver = start("/bomb", reader)
    await Eventually.expect("the first piece is there") { reader.record.pieces > 0 }
    await settled()
    #expect(reader.record.pieces == 1)
    #expect(reader.record.count <= ContentDecoder.largestPiece)
    pool.loop.withLoop { driver.release(.caller) }
    await Eventually.expect("it is complete") { reader.record.isComplete }
    #expect(reader.record.error == nil)
    #expect(reader.record.count == bomb.count && reader.record.areZeros)
  }

  /// Cancelled where a piece is handed over, by whoever gets it.
  @Test(arguments: Bomb.allCases, [1, 7])
  func nothingComesBehindACancellation(bomb: Bomb, pieces: Int) async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    let coded = try bomb.coded
    origin.script("/bomb", .text(head(bomb.codings, coded.count)).then(.bytes(coded)))
    let reader = Reader(.cancelling(after: pieces))
    _ = start("/bomb", reader)
    await Eventually.expect("it is over") { reader.record.isComplete }
    await settled()
    #expect(reader.record.pieces == pieces)
    #expect(!reader.record.isToldLate)
    guard case .cancelled? = reader.record.error?.cause else {
      Issue.record("\(String(describing: reader.record.error))")
      return
    }
    #expect(pool.loop.withLoop { pool.occupied } == 0)
  }

  /// Nobody holds it back, and nobody can cancel it but by a job of the loop's: others have their turn in between.
  @Test func anExpansionDoesNotKeepTheLoop() async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    let coded = try Bomb.brotli.coded
    origin.script("/bomb", .text(head("br", coded.count)).then(.bytes(coded)))
    let reader = Reader(.eager)
    let driver = pool.loop.withLoop {
      RequestDriver(.plain(to: origin.port, path: "/bomb"), in: pool, client: reader)
    }
    let turns = Locked(0)
    @Sendable func takeTurn() {
      pool.loop.enqueue {
        let record = reader.record
        if !record.isComplete { takeTurn() }
        if record.count > 0 { turns.withLock { $0 += 1 } }
      }
    }
    takeTurn()
    pool.loop.execute { driver.start() }
    await Eventually.expect("it is complete") { reader.record.isComplete }
    #expect(reader.record.count == Bomb.brotli.count && reader.record.areZeros)
    await settled()
    #expect(turns.withLock { $0 } >= 10)

    let second = Reader(.eager)
    let cancelled = pool.loop.withLoop {
      RequestDriver(.plain(to: origin.port, path: "/bomb"), in: pool, client: second)
    }
    @Sendable func watch() {
      pool.loop.enqueue {
        if second.record.count > 0 { cancelled.cancel() } else { watch() }
      }
    }
    watch()
    pool.loop.execute { cancelled.start() }
    await Eventually.expect("it is over") { second.record.isComplete }
    #expect(second.record.error != nil)
    #expect(second.record.count < Bomb.brotli.count / 4)
    #expect(!second.record.isToldLate)
  }

  /// Whatever is held and released when: the same bytes, then the end.
  @Test(arguments: 1...6) func theOrderStays(seed: UInt64) async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    var random = SeededGenerator(seed: seed)
    var plain: [UInt8] = []
    for _ in 0..<24 {
      // Some of it expands a lot, some hardly.
      let size = Int.random(in: 1...400_000, using: &random)
      let isFlat = Bool.random(using: &random)
      let letter = UInt8.random(in: .min ... .max, using: &random)
      for _ in 0..<size { plain.append(isFlat ? letter : UInt8.random(in: .min ... .max, using: &random)) }
    }
    let coded = try ContentEncoder.encode(plain, as: seed.isMultiple(of: 2) ? .gzip : .deflate)
    var reply = ScriptedReply.text(head(seed.isMultiple(of: 2) ? "gzip" : "deflate", coded.count))
    var offset = 0
    while offset < coded.count {
      let end = min(offset + Int.random(in: 1...300_000, using: &random), coded.count)
      reply = reply.then(.bytes(Array(coded[offset..<end])))
      offset = end
    }
    origin.script("/body", reply)
    let reader = Reader(.fitful(seed: seed), keeps: true)
    _ = start("/body", reader)
    await Eventually.expect("it is complete") { reader.record.isComplete }
    #expect(reader.record.error == nil)
    #expect(reader.record.received == plain)
    #expect(!reader.record.isToldLate)
  }

  /// A limit is reached in the middle of a body that is held again and again.
  @Test func theLimitHolds() async throws {
    var configuration = ConnectionPool.Configuration.inMemory
    configuration.decompressionWhenStreaming = DecompressionLimit(bytes: 3 << 20)
    let pool = ConnectionPool(configuration: configuration)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let coded = try Bomb.brotli.coded
    origin.script("/bomb", .text(head("br", coded.count)).then(.bytes(coded)))
    let reader = Reader(.slow)
    pool.loop.withLoop {
      RequestDriver(.plain(to: origin.port, path: "/bomb"), in: pool, client: reader).start()
    }
    await Eventually.expect("it is over") { reader.record.isComplete }
    guard case .coding(.bomb)? = reader.record.error?.cause else {
      Issue.record("\(String(describing: reader.record.error))")
      return
    }
    #expect(reader.record.count == 3 << 20)
    #expect(!reader.record.isToldLate)
  }

  /// The end is told behind the body, and whether the connection has ended meanwhile is looked at behind that: nobody waits
  /// for the idle limit to get rid of it.
  @Test(arguments: [true, false])
  func aConnectionThatEndedMeanwhileIsNotParked(isFramed: Bool) async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    let coded = try Bomb.gzip.coded
    origin.script(
      "/bomb", .text(head("gzip", isFramed ? coded.count : nil)).then(.bytes(coded)).then(.close))
    let reader = Reader(.halting)
    let driver = start("/bomb", reader)
    await Eventually.expect("the first piece is there") { reader.record.pieces > 0 }
    await Eventually.expect("the server has closed") { origin.openConnections == 0 }
    pool.loop.withLoop { driver.release(.caller) }
    await Eventually.expect("it is complete") { reader.record.isComplete }
    #expect(reader.record.error == nil)
    #expect(reader.record.count == Bomb.gzip.count)
    await Eventually.expect("nothing is kept") { [pool] in
      pool.loop.withLoop { pool.occupied == 0 && pool.openConnectionCount == 0 }
    }
  }
}
