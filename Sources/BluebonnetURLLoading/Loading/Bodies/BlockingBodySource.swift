import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetTransport
import Glibc

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
  }

  private static let pieceSize = 256 * 1024

  let length: Int?
  private let queue = DispatchQueue(label: "bluebonnet.body")
  private let state = Locked(State())
  private let origin: Origin
  private let isReplayable: Bool
  private var reader: Reader?
  /// Touched only while the loop is held.
  private var wasAsked = false

  /// A file is read from its start each time the body is sent. What doesn't tell its length, such as a pipe, a device or
  /// a file in `/proc`, is sent as far as it can be read; of these only the last can be sent again.
  init(file url: URL) throws(URLError) {
    do throws(POSIXError) {
      let facts = try FileFacts(path: url.path)
      length = facts.length
      isReplayable = facts.canBeReadAgain
    } catch {
      throw .unreadable(url, error)
    }
    origin = .file(path: url.path)
  }

  /// A stream can be read once. Of what the request states as its length no more is sent.
  init(stream: InputStream, of request: URLRequest) {
    length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }.flatMap {
      $0 < 0 ? nil : $0
    }
    isReplayable = false
    origin = .stream(stream)
  }

  func attach(signal: @escaping @Sendable () -> Void) {
    state.withLock { $0.signal = signal }
  }

  func detach() {
    state.withLock { $0.signal = nil }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReading {
    wasAsked = true
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
    // Of a stream that nobody has read from, nothing is lost.
    guard isReplayable || !wasAsked else { return false }
    queue.sync { reader = nil }
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
    let piece: Result<Data?, Unreadable>
    do throws(Unreadable) {
      piece = .success(try nextPiece())
    } catch {
      piece = .failure(error)
    }
    let signal = state.withLock { state -> (@Sendable () -> Void)? in
      state.isReading = false
      switch piece {
      case .success(nil): break
      case .success(let data?) where data.isEmpty: state.isAtEnd = true
      case .success(let data?): state.piece = data
      case .failure(let error): state.failure = error.reason
      }
      return state.signal
    }
    signal?()
  }

  /// The next bytes, none at the end, `nil` if the exchange is over and nobody waits for any.
  private func nextPiece() throws(Unreadable) -> Data? {
    var piece = Data(count: Self.pieceSize)
    let count: Result<Int?, Unreadable> = piece.withUnsafeMutableBytes { buffer in
      Result { () throws(Unreadable) in try fill(buffer) }
    }
    return try count.get().map { piece.prefix($0) }
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(Unreadable) -> Int? {
    switch try openedReader() {
    case .stream(let stream):
      guard let start = buffer.bindMemory(to: UInt8.self).baseAddress else { return 0 }
      let count = stream.read(start, maxLength: buffer.count)
      guard count >= 0 else { throw Unreadable(reason: "reading from the stream failed") }
      return count
    case .file(let file):
      do {
        return try file.read(into: buffer) { state.withLock { $0.signal != nil } }
      } catch {
        throw Unreadable(reason: "reading from the file failed: \(error.text)")
      }
    }
  }

  private func openedReader() throws(Unreadable) -> Reader {
    if let reader { return reader }
    let opened: Reader
    switch origin {
    case .stream(let stream):
      stream.open()
      opened = .stream(stream)
    case .file(let path):
      do {
        opened = .file(try FileReader(path: path))
      } catch {
        throw Unreadable(reason: "the file cannot be opened: \(error.text)")
      }
    }
    reader = opened
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
