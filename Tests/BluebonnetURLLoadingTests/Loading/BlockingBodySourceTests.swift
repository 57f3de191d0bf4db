// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport
@testable import BluebonnetURLLoading

/// Bodies that are read ahead on a queue, and lent from what was read.
@Suite struct BlockingBodySourceTests {
  private static let contents = Data([UInt8](cycling: 1_500_000))

  private func withFile<R>(_ body: (URL) throws -> R) throws -> R {
    var path = Array("/tmp/bluebonnet-body-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    let url = URL(
      fileURLWithPath: String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    defer { unlink(url.path) }
    close(descriptor)
    try Self.contents.write(to: url)
    return try body(url)
  }

  /// Takes so many bytes at most each time, and stops behind `limit` of them.
  private func take(
    _ source: BlockingBodySource, atMost most: Int = .max, limit: Int = .max, signal: Signal, seen: inout Int
  ) throws -> Data {
    var taken = Data()
    while taken.count < limit {
      let reading = source.lend { bytes in
        #expect(!bytes.isEmpty)
        let count = Swift.min(most, bytes.count, limit - taken.count)
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

  @Test(arguments: [1000, 100_000, Int.max])
  func aFileIsLentWholeWhateverIsTakenAtOnce(most: Int) throws {
    try withFile { url in
      let source = try BlockingBodySource(file: url)
      #expect(source.length == Self.contents.count)
      let (signal, seen) = (Signal(), 0)
      var count = seen
      source.attach { signal.raise() }
      #expect(try take(source, atMost: most, signal: signal, seen: &count) == Self.contents)
      source.detach()
    }
  }

  /// A retry begins with the first byte, whatever had been read ahead by then.
  @Test(arguments: [0, 1, 200_000, 1_400_000])
  func aFileThatIsSentAgainBeginsAtItsStart(limit: Int) throws {
    try withFile { url in
      let source = try BlockingBodySource(file: url)
      let signal = Signal()
      var seen = 0
      source.attach { signal.raise() }
      #expect(
        try take(source, limit: limit, signal: signal, seen: &seen) == Self.contents.prefix(limit))
      #expect(source.rewind())
      source.detach()
      let again = Signal()
      var seenAgain = 0
      source.attach { again.raise() }
      #expect(try take(source, signal: again, seen: &seenAgain) == Self.contents)
      source.detach()
    }
  }

  /// Says that there is more, and never gives any.
  private final class EmptyStream: InputStream {
    var reads = 0

    init() { super.init(data: Data()) }

    override func open() {}
    override func close() {}
    override var streamStatus: Status { .open }
    override var hasBytesAvailable: Bool { true }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
      reads += 1
      return 0
    }
  }

  /// Nothing is the end, whatever else a stream says: nobody asks it again and again.
  @Test func aStreamThatGivesNothingHasEnded() throws {
    let stream = EmptyStream()
    let source = BlockingBodySource(stream: stream, of: URLRequest(url: URL(fileURLWithPath: "/")))
    let signal = Signal()
    var seen = 0
    source.attach { signal.raise() }
    #expect(try take(source, signal: signal, seen: &seen).isEmpty)
    for _ in 0..<100 {
      let reading = source.lend { $0.count }
      if case .end = reading { continue }
      Issue.record("It goes on.")
    }
    #expect(stream.reads == 1)
    source.detach()
  }

  /// Says that it has read more than there was room for.
  private final class BoastfulStream: InputStream {
    init() { super.init(data: Data()) }

    override func open() {}
    override func close() {}
    override var streamStatus: Status { .open }
    override var hasBytesAvailable: Bool { true }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { len + 1 }
  }

  private func failure(of stream: InputStream, length: Int? = nil) throws -> String? {
    var request = URLRequest(url: URL(fileURLWithPath: "/"))
    if let length { request.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
    let source = BlockingBodySource(stream: stream, of: request)
    let signal = Signal()
    source.attach { signal.raise() }
    defer { source.detach() }
    if case .later = source.lend(to: { $0.count }) { try #require(signal.wait()) }
    guard case .failed(let reason, _) = source.lend(to: { $0.count }) else { return nil }
    return reason
  }

  /// The memory behind the buffer is not the body's.
  @Test(arguments: [nil, 10]) func aStreamThatSaysTooMuch(length: Int?) throws {
    #expect(
      try failure(of: BoastfulStream(), length: length)
        == "the stream says that it has read more bytes than it was asked for")
  }

  /// An empty body would arrive in place of one that was sent already.
  @Test(arguments: [false, true]) func aStreamThatHasBeenReadIsNoBody(isClosed: Bool) throws {
    let stream = InputStream(data: Self.contents)
    stream.open()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while stream.read(&buffer, maxLength: buffer.count) > 0 {}
    if isClosed { stream.close() }
    #expect(try failure(of: stream) == "the stream has been read to its end or closed before")
    let empty = InputStream(data: Data())
    empty.open()
    #expect(try failure(of: empty) == nil)
  }

  /// The rest of its bytes would arrive as a whole body. What has read from it before it was a body is the caller's affair.
  @Test func aStreamIsABodyOnce() throws {
    let stream = InputStream(data: Self.contents)
    stream.open()
    var buffer = [UInt8](repeating: 0, count: 4096)
    #expect(stream.read(&buffer, maxLength: buffer.count) == buffer.count)
    #expect(try failure(of: stream) == nil)
    #expect(try failure(of: stream) == "the stream was the body of a request before")
    // Those that are gone do not count, though others may be where they were.
    for _ in 0..<500 { #expect(try failure(of: InputStream(data: Self.contents.prefix(10))) == nil) }
    #expect(try failure(of: stream) == "the stream was the body of a request before")
  }

  /// Is at its end as soon as it is open.
  private final class HollowStream: InputStream {
    private let isOpen = Locked(false)

    init() { super.init(data: Data()) }

    override func open() { isOpen.withLock { $0 = true } }
    override func close() {}
    override var streamStatus: Status { isOpen.withLock { $0 } ? .atEnd : .notOpen }
    override var hasBytesAvailable: Bool { false }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { 0 }
  }

  @Test func aStreamWithoutBytesIsAnEmptyBody() throws {
    #expect(try failure(of: HollowStream()) == nil)
  }

  @Test func aStreamWithoutBytesCanBeRead() async throws {
    let piece = try await QueuedReader(.stream(HollowStream())).read()
    #expect(piece == nil)
  }

  @Test func aStreamIsLentOnce() throws {
    let source = BlockingBodySource(
      stream: InputStream(data: Self.contents), of: URLRequest(url: URL(fileURLWithPath: "/")))
    #expect(source.length == nil)
    #expect(source.rewind())
    let signal = Signal()
    var seen = 0
    source.attach { signal.raise() }
    #expect(try take(source, signal: signal, seen: &seen) == Self.contents)
    #expect(!source.rewind())
    #expect(source.replayObstacle == "it is a stream and can only be read once")
    source.detach()
  }
}
