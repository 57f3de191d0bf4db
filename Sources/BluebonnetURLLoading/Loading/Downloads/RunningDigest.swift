// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc

/// The SHA-256 digest of a file, taken while that is written or from its beginning. Not for several threads at a time.
package final class RunningDigest {
  private static let bufferSize = 256 * 1024
  /// Nil once the digest has been taken.
  private var hash: RunningHash?

  package init() { hash = RunningHash(.sha256) }

  func add(_ bytes: RawSpan) { hash?.add(bytes) }

  /// Reads a part of a file, wherever its descriptor stands.
  ///
  /// - Parameter isWanted: Asked before each piece; false ends the reading, which may take long.
  /// - Returns: false if it cannot be read, or was not wanted any more.
  package func add(
    _ descriptor: Int32, from start: Int64, to end: Int64, while isWanted: () -> Bool = { true }
  ) -> Bool {
    var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
    var position = start
    while position < end {
      guard isWanted() else { return false }
      let wanted = Int(min(Int64(buffer.count), end - position))
      let count = pread(descriptor, &buffer, wanted, off_t(position))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      add(buffer.span.bytes.extracting(..<count))
      position += Int64(count)
    }
    return true
  }

  /// The digest; nil where a policy of the system forbids SHA-256, or it has been taken.
  package func finish() -> [UInt8]? { hash.take()?.finish() }
}

extension URLSessionDownloadTask {
  /// Whether the SHA-256 digest of the complete file is taken while it is written. Before the task is resumed.
  package var takesDigest: Bool {
    get { contentDigest.withLock { $0.isWanted } }
    set { contentDigest.withLock { $0.isWanted = newValue } }
  }

  /// The SHA-256 digest of the complete file: as it was written, or else read from the file. Not in loop context.
  ///
  /// - Parameter file: The file of the task, when it is complete.
  /// - Returns: nil where a policy of the system forbids SHA-256.
  /// - Throws: If the file cannot be read.
  package func digest(of file: URL) throws(POSIXError) -> [UInt8]? {
    if let digest = contentDigest.withLock({ $0.digest }) { return digest }
    return try ContentHasher.digest(of: file, .sha256)
  }

  func keepDigest(_ digest: [UInt8]?) {
    contentDigest.withLock { $0.digest = digest }
  }

  /// The digest of a file, and whether it is asked for.
  struct ContentDigest {
    var isWanted = false
    var digest: [UInt8]?
  }
}
