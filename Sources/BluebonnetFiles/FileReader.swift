// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// Reads a file of any kind from its beginning. The descriptor is not inherited by programs that are started meanwhile.
package final class FileReader {
  private let descriptor: Int32
  /// A pipe without a writer reads like one at its end, so it has to be waited for first.
  private var awaitsWriter: Bool
  /// A regular file's stated size, not always the true one; nil for others.
  package let size: Int?

  /// Opens the file; never waits, not even for a pipe's writer.
  package init(path: String) throws(POSIXError) {
    descriptor = BluebonnetLibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .current }
    var facts = stat()
    let kind = fstat(descriptor, &facts) == 0 ? facts.st_mode & S_IFMT : 0
    awaitsWriter = kind == S_IFIFO
    size = kind == S_IFREG ? Int(facts.st_size) : nil
  }

  deinit {
    _ = BluebonnetLibc.close(descriptor)
  }

  /// Reads the bytes at hand, or waits for some.
  ///
  /// - Parameters:
  ///   - buffer:   Takes it.
  ///   - isWanted: Asked every now and then while there is nothing: whether to go on waiting.
  /// - Returns: The number of bytes, 0 at the end; `nil` if none are wanted.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, whileWanted isWanted: () -> Bool
  ) throws(POSIXError) -> Int? {
    while true {
      if awaitsWriter {
        guard wait(isWanted) else { return nil }
        awaitsWriter = false
      }
      if let count = try read(into: buffer) { return count }
      guard wait(isWanted) else { return nil }
    }
  }

  /// Reads what there is: 0 at the end, `nil` if there is nothing yet.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int? {
    while true {
      let count = BluebonnetLibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      default: throw .current
      }
    }
  }

  /// All that a file holds.
  package static func contents(of path: String) throws(POSIXError) -> Data {
    let reader = try FileReader(path: path)
    var contents = Data(capacity: reader.size ?? 0)
    var piece = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count: Result<Int?, POSIXError> = piece.withUnsafeMutableBytes { buffer in
        Result { () throws(POSIXError) in try reader.read(into: buffer) { true } }
      }
      guard let count = try count.get(), count > 0 else { return contents }
      contents.append(contentsOf: piece[..<count])
    }
  }

  /// All that a file holds, up to a limit.
  ///
  /// - Throws: `POSIXError` where it cannot be read, and `CocoaError.fileReadTooLarge`.
  package static func contents(of path: String, limit: Int) throws -> [UInt8] {
    let reader = try FileReader(path: path)
    var contents: [UInt8] = []
    contents.reserveCapacity(min(reader.size ?? 0, limit))
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while let count = try piece.withUnsafeMutableBytes({ try reader.read(into: $0) { true } }), count > 0 {
      guard contents.count + count <= limit else { throw CocoaError(.fileReadTooLarge) }
      contents += piece[..<count]
    }
    return contents
  }

  /// Waits for bytes, or for the end: that of a pipe comes only after a writer has been there.
  private func wait(_ isWanted: () -> Bool) -> Bool {
    while isWanted() {
      var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&question, 1, 200) > 0 { return true }
    }
    return false
  }
}

extension POSIXError {
  /// The process, or the system, has no descriptor left.
  package var isDescriptorShortage: Bool { code == .EMFILE || code == .ENFILE }
}
