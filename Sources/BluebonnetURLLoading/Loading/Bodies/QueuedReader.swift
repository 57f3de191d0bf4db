// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import Synchronization

/// Reads a file or a stream for a Swift task. Reads may block, so they happen on a queue of their own.
// Unchecked: the reader and its piece are touched only on the queue, and between two reads, by the caller.
package final class QueuedReader: @unchecked Sendable {
  /// The source of the bytes.
  package enum Origin {
    /// From its beginning.
    case file(path: String)
    /// From where it is; opened if it is not.
    case stream(InputStream)
  }

  private enum Opened {
    case file(FileReader)
    case stream(InputStream)
  }

  /// Enough to make changes of thread rare.
  private static let pieceSize = 256 * 1024

  private let queue = DispatchQueue(label: "bluebonnet.body")
  private let origin: Origin
  private let piece: BodyPiece
  private var opened: Opened?
  private let isCancelled = Atomic(false)
  /// Counts what the queue has done. A continuation orders it before what the task does next; this says so in a way that
  /// ThreadSanitizer understands.
  private let turns = Atomic(0)

  /// - Parameter length: How much there is to read, as far as that is known: little of it takes little memory.
  package init(_ origin: Origin, length: UInt64? = nil) {
    self.origin = origin
    let most = length.map { Int(clamping: $0) } ?? Self.pieceSize
    piece = BodyPiece(capacity: min(max(most, 1), Self.pieceSize))
  }

  /// Opens the file or the stream, unless it is open.
  ///
  /// - Throws: Why that cannot be done, or `CancellationError`.
  package func open() async throws {
    try await whenOpen { _ in }
  }

  /// The next bytes, valid until the next call.
  ///
  /// - Returns: nil at the end.
  /// - Throws: The error of the file or the stream, or `CancellationError`.
  package func read(atMost most: Int = .max) async throws -> BodyPiece? {
    try await whenOpen { try self.fill(most, from: $0) }
  }

  /// Closes the file or the stream, of which nothing more is read.
  package func close() async {
    await withCheckedContinuation { continuation in
      queue.async {
        if case .stream(let stream)? = self.opened { stream.close() }
        self.opened = nil
        continuation.resume()
      }
    }
  }

  /// Does this on the queue when there is something to read from.
  private func whenOpen<Value: Sendable>(
    _ job: @escaping @Sendable (Opened) throws -> Value
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
        queue.async {
          self.open { opened in
            let result: Result<Value, any Error> = Result { try job(opened.get()) }
            self.turns.add(1, ordering: .releasing)
            continuation.resume(returning: result)
          }
        }
      }
      _ = turns.load(ordering: .acquiring)
      return try result.get()
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }

  /// Opens the source unless it is open. Where the process has no descriptor left, one is waited for on no thread.
  private func open(then go: @escaping @Sendable (Result<Opened, any Error>) -> Void) {
    if let result = tryOpening(waits: true) { return go(result) }
    guard let descriptors = DescriptorWait.ofNobody else { return go(.failure(POSIXError(.EMFILE))) }
    descriptors.retry(on: queue) { isInTime in
      guard let result = self.tryOpening(waits: isInTime) else { return false }
      go(result)
      return true
    }
  }

  /// - Parameter waits: Whether it may be tried again later.
  /// - Returns: nil if it is to be, since there is no descriptor.
  private func tryOpening(waits: Bool) -> Result<Opened, any Error>? {
    do {
      return .success(try opening())
    } catch let error as POSIXError where error.isDescriptorShortage && waits {
      guard isCancelled.load(ordering: .relaxed) else { return nil }
      return .failure(CancellationError())
    } catch {
      return .failure(error)
    }
  }

  private func fill(_ most: Int, from opened: Opened) throws -> BodyPiece? {
    let buffer = UnsafeMutableRawBufferPointer(rebasing: piece.memory.prefix(most))
    piece.count = 0
    switch opened {
    case .file(let file):
      let count = try file.read(into: buffer) { !isCancelled.load(ordering: .relaxed) }
      guard let count else { throw CancellationError() }
      piece.count = count
    case .stream(let stream):
      piece.count = try stream.read(into: buffer)
    }
    return piece.count > 0 ? piece : nil
  }

  private func opening() throws -> Opened {
    if let opened { return opened }
    let new: Opened
    switch origin {
    case .file(let path): new = .file(try FileReader(path: path))
    case .stream(let stream):
      try stream.openAsBody()
      new = .stream(stream)
    }
    opened = new
    return new
  }
}
