import BluebonnetFoundation
import BluebonnetTransport
import Synchronization

/// A request body from a file or stream, whose reads may block: they happen on a queue, one piece ahead.
// Unchecked: the reader is touched only on the queue, the rest is under a mutex.
final class BlockingBodySource: BodySource, @unchecked Sendable {
  private struct State {
    var piece: Data?
    var isReading = false
    var isAtEnd = false
    var failure: String?
    var signal: (@Sendable () -> Void)?
  }

  private static let pieceSize = 256 * 1024

  let length: Int?
  private let queue = DispatchQueue(label: "bluebonnet.body")
  private let state = Mutex(State())
  private let open: () -> InputStream?
  private let isReplayable: Bool
  private var stream: InputStream?
  private var wasOpened = false

  /// A file is read from its start each time the body is sent.
  init(file url: URL) throws(URLError) {
    // The size of a link is not that of its file.
    let path = url.resolvingSymlinksInPath().path
    guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int else {
      throw URLError.loading(
        .fileDoesNotExist, url: nil, phase: .preparing, reason: "the file \(path) cannot be read")
    }
    length = size
    isReplayable = true
    open = { InputStream(url: url) }
  }

  /// A stream can be read once. Of what the request states as its length no more is sent.
  init(stream: InputStream, of request: URLRequest) {
    length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }.flatMap {
      $0 < 0 ? nil : $0
    }
    isReplayable = false
    open = { stream }
  }

  func attach(signal: @escaping @Sendable () -> Void) {
    state.withLock { $0.signal = signal }
  }

  func detach() {
    state.withLock { $0.signal = nil }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReading {
    let answer = state.withLock { state -> BodyReading? in
      if let failure = state.failure { return .failed(failure) }
      guard let piece = state.piece, !piece.isEmpty else { return state.isAtEnd ? .end : nil }
      let count = Swift.min(buffer.count, piece.count)
      piece.copyBytes(to: buffer.bindMemory(to: UInt8.self), count: count)
      state.piece = count == piece.count ? nil : piece.dropFirst(count)
      return .bytes(count)
    }
    readAhead()
    return answer ?? .later
  }

  func rewind() -> Bool {
    guard isReplayable else { return false }
    queue.sync {
      stream?.close()
      stream = nil
      wasOpened = false
    }
    state.withLock {
      $0.piece = nil
      $0.isAtEnd = false
      $0.failure = nil
    }
    return true
  }

  private func readAhead() {
    let starts = state.withLock { state -> Bool in
      guard state.piece == nil, !state.isReading, !state.isAtEnd, state.failure == nil else { return false }
      state.isReading = true
      return true
    }
    if starts { queue.async { self.readPiece() } }
  }

  private func readPiece() {
    if !wasOpened {
      wasOpened = true
      stream = open()
      stream?.open()
    }
    var piece = Data(count: Self.pieceSize)
    let count = piece.withUnsafeMutableBytes { buffer -> Int in
      guard let stream, let start = buffer.bindMemory(to: UInt8.self).baseAddress else { return -1 }
      return stream.read(start, maxLength: buffer.count)
    }
    let signal = state.withLock { state -> (@Sendable () -> Void)? in
      state.isReading = false
      if count > 0 {
        state.piece = piece.prefix(count)
      } else if count == 0 {
        state.isAtEnd = true
      } else {
        state.failure = "reading from the stream failed"
      }
      return state.signal
    }
    signal?()
  }
}
