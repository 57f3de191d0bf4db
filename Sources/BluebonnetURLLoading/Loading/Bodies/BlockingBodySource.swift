// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks
import BluebonnetTransport

/// A request body from a file or stream with reads that may block: they happen on a queue, some pieces ahead.
///
///     queue:  spare ─read into─▶ filled          (until there are enough, the end, or no more are wanted)
///     loop:   filled ─lent from, to the end─▶ spare
///
/// While there are pieces on both sides neither waits for the other, nor has to be woken.
// Unchecked: the reader is touched only on the queue, the piece that is being lent only while the loop is held, and the
// rest is under a mutex.
final class BlockingBodySource: BodySource, @unchecked Sendable {
  private struct State: Sendable {
    var filled: [BodyPiece] = []
    var spare: [BodyPiece] = []
    var isReading = false
    var isAtEnd = false
    var failure: String?
    var signal: (@Sendable () -> Void)?
    /// The transport has nothing to send, and waits for the signal.
    var isAwaited = false
    /// The number of times that the body has begun.
    var attempt = 0

    /// The next step for the transport.
    enum Next {
      case piece(BodyPiece)
      case none(BodyReading)
    }

    mutating func next() -> Next {
      if !filled.isEmpty { return .piece(filled.removeFirst()) }
      if let failure { return .none(.failed(failure)) }
      if isAtEnd { return .none(.end) }
      isAwaited = true
      return .none(.later)
    }

    /// Whether the queue has to begin to read again.
    mutating func startsReading() -> Bool {
      guard !isReading, !isAtEnd, failure == nil, filled.count < BlockingBodySource.lowWater else {
        return false
      }
      isReading = true
      return true
    }

    /// A piece to read into, unless there is nothing to do; then reading has stopped.
    mutating func nextToFill(capacity: Int) -> BodyPiece? {
      if signal != nil, filled.count < BlockingBodySource.highWater, !isAtEnd, failure == nil {
        return spare.popLast() ?? BodyPiece(capacity: capacity)
      }
      isReading = false
      return nil
    }
  }

  private enum Origin {
    case file(path: String)
    case stream(InputStream)
  }

  private enum Reader {
    case file(FileReader)
    case stream(InputStream)
  }

  private struct Unreadable: Error {
    let reason: String
    /// There is no descriptor to open it with, yet.
    var isDescriptorShortage = false
  }

  /// Large enough that a gigabyte needs few system calls, small enough that a piece is still in a core's cache when it is
  /// sent.
  private static let pieceSize = 256 * 1024
  /// Reading stops when so many pieces are ahead, and goes on when fewer than `lowWater` are: the queue is not woken for
  /// every one.
  private static let highWater = 4
  private static let lowWater = 2

  let length: Int?
  private let queue = DispatchQueue(label: "bluebonnet.body")
  private let state = Locked(State())
  private let origin: Origin
  private let isReplayable: Bool
  /// The way a file waits for its descriptor.
  private let descriptors: DescriptorWait?
  private var reader: (reader: Reader, attempt: Int)?
  // While the loop is held.
  private var wasAsked = false
  /// Whether the stream was given to another reader.
  private var isLent = false
  private var lent: (piece: BodyPiece, offset: Int)?

  /// A file is read from its start each time the body is sent. A file of unknown length, such as a pipe, a device or
  /// a file in `/proc`, is sent as far as it can be read; of these only the last can be sent again.
  ///
  /// - Parameter descriptors: The way a descriptor is waited for; nil for the one without a request.
  init(file url: URL, waitingFor descriptors: DescriptorWait? = nil) throws(URLError) {
    do throws(POSIXError) {
      let facts = try FileFacts(path: url.path)
      length = facts.length
      isReplayable = facts.canBeReadAgain
    } catch {
      throw .unreadable(url, error)
    }
    origin = .file(path: url.path)
    self.descriptors = descriptors
  }

  /// A stream can be read once. Of what the request states as its length no more is sent.
  init(stream: InputStream, of request: URLRequest) {
    length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }.flatMap {
      $0 < 0 ? nil : $0
    }
    isReplayable = false
    origin = .stream(stream)
    descriptors = nil
  }

  func attach(signal: @escaping @Sendable () -> Void) {
    state.withLock { $0.signal = signal }
  }

  func detach() {
    state.withLock { $0.signal = nil }
  }

  func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
    wasAsked = true
    if lent == nil {
      let (next, starts) = state.withLock { state in
        let next = state.next()
        return (next, state.startsReading())
      }
      if starts { queue.async { _ = self.readAhead() } }
      switch next {
      case .none(let reading): return reading
      case .piece(let piece): lent = (piece, 0)
      }
    }
    guard let (piece, offset) = lent else { return .later }
    let end = offset + use(piece.bytes(from: offset))
    if end < piece.count {
      lent = (piece, end)
    } else {
      lent = nil
      state.withLock { $0.spare.append(piece) }
    }
    return .lent
  }

  var replayObstacle: String? {
    guard !isReplayable else { return nil }
    return if case .stream = origin { StreamedBody.inputStream } else { StreamedBody.passingFile }
  }

  /// The same body, for a task that reads it.
  var streamed: StreamedBody {
    switch origin {
    case .file(let path): StreamedBody(file: path, canBeReadAgain: isReplayable)
    case .stream(let stream): StreamedBody(stream: stream)
    }
  }

  /// The stream itself, for another reader; nil of a file.
  var lentStream: InputStream? {
    guard case .stream(let stream) = origin else { return nil }
    isLent = true
    return stream
  }

  /// Nothing is lost of a stream that was never read from.
  var canRewind: Bool { isReplayable || !wasAsked && !(isLent && wasOpened) }

  private var wasOpened: Bool {
    if case .stream(let stream) = origin { stream.streamStatus != .notOpen } else { false }
  }

  func rewind() -> Bool {
    guard canRewind else { return false }
    lent = nil
    state.withLock {
      $0.attempt += 1
      $0.filled = []
      $0.isAtEnd = false
      $0.failure = nil
    }
    return true
  }

  /// Fills pieces until there are enough. On the queue.
  ///
  /// - Parameters:
  ///   - waits: The file cannot be opened yet, and is tried again.
  ///   - isInTime: Whether there is time to wait for a descriptor.
  /// - Returns: false if it is to be tried again.
  private func readAhead(waits: Bool = false, isInTime: Bool = true) -> Bool {
    while true {
      let (piece, attempt) = state.withLock { ($0.nextToFill(capacity: capacity), $0.attempt) }
      guard let piece else { return true }
      var failure: String?
      do throws(Unreadable) {
        // If the transport did not wait any more, the next look says whether it does again.
        guard let count = try fill(piece.memory, attempt) else { continue }
        piece.count = count
      } catch {
        if error.isDescriptorShortage, isInTime, waits || waitForDescriptor() {
          state.withLock { $0.spare.append(piece) }
          return false
        }
        failure = error.reason
      }
      let signal = state.withLock { [failure] state -> (@Sendable () -> Void)? in
        // It has begun anew meanwhile.
        guard state.attempt == attempt else { return nil }
        if let failure {
          state.failure = failure
        } else if piece.count == 0 {
          state.isAtEnd = true
        } else {
          state.filled.append(piece)
        }
        guard state.isAwaited else { return nil }
        state.isAwaited = false
        return state.signal
      }
      signal?()
    }
  }

  /// Goes on when there may be a descriptor. No other read begins meanwhile.
  ///
  /// - Returns: false if there is nothing to wait for.
  private func waitForDescriptor() -> Bool {
    guard let descriptors = descriptors ?? DescriptorWait.ofNobody else { return false }
    descriptors.retry(on: queue) { [self] isInTime in readAhead(waits: true, isInTime: isInTime) }
    return true
  }

  /// A small body takes no more memory than it needs, and one byte more to find its end.
  private var capacity: Int { Swift.min(length ?? .max, Self.pieceSize - 1) + 1 }

  /// - Returns: The number of bytes, 0 at the end; `nil` if the exchange is over and does not wait for any.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer, _ attempt: Int) throws(Unreadable) -> Int? {
    switch try openedReader(attempt) {
    case .stream(let stream):
      do {
        return try stream.read(into: buffer)
      } catch {
        throw Unreadable(
          reason: (error as? UnusableStream)?.description ?? "reading from the stream failed")
      }
    case .file(let file):
      do {
        return try file.read(into: buffer) { state.withLock { $0.signal != nil } }
      } catch {
        throw Unreadable(reason: "reading from the file failed: \(error.text)")
      }
    }
  }

  private func openedReader(_ attempt: Int) throws(Unreadable) -> Reader {
    if let reader, reader.attempt == attempt { return reader.reader }
    // The reader of the earlier attempt gives its descriptor back.
    reader = nil
    let opened: Reader
    switch origin {
    case .stream(let stream):
      do {
        try stream.openAsBody()
      } catch {
        throw Unreadable(reason: error.description)
      }
      opened = .stream(stream)
    case .file(let path):
      do {
        opened = .file(try FileReader(path: path))
      } catch {
        throw Unreadable(
          reason: "the file cannot be opened: \(error.text)", isDescriptorShortage: error.isDescriptorShortage
        )
      }
    }
    reader = (opened, attempt)
    return opened
  }
}

extension POSIXError {
  fileprivate var text: String { String(cString: strerror(code.rawValue)) }
}

extension URLError {
  fileprivate static func unreadable(_ url: URL, _ error: POSIXError) -> URLError {
    let code: URLError.Code =
      switch error.code {
      case .ENOENT, .ENOTDIR: .fileDoesNotExist
      case .EISDIR: .fileIsDirectory
      case .EACCES, .EPERM: .noPermissionsToReadFile
      default: .cannotOpenFile
      }
    return .loading(
      code, url: nil, phase: .preparing, reason: "the file \(url.path) cannot be read: \(error.text)",
      cause: error)
  }
}
