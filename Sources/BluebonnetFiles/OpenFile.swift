// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// An open file or directory: closed with its last reference.
package final class OpenFile: Sendable {
  package let descriptor: Int32

  package init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = BluebonnetLibc.close(descriptor) }

  /// Whether nothing in any directory names it any more.
  package var isGone: Bool {
    var facts = stat()
    return fstat(descriptor, &facts) != 0 || facts.st_nlink == 0
  }

  /// Bytes of a regular file; nil for anything else.
  package var size: Int64? {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG ? Int64(facts.st_size) : nil
  }

  // MARK: Reading

  /// Reads so many bytes from a place; fewer at the file's end only.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(POSIXError) -> Int {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let result = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(count))
      if result == 0 { break }
      if result > 0 {
        count += result
      } else if errno != EINTR {
        throw .current
      }
    }
    return count
  }

  /// Reads what a regular file has, up to one byte more than a limit. It must not have been read before.
  ///
  /// - Parameter size: The bytes that one call will mostly do for.
  package func contents(expecting size: Int, limit: Int) throws(POSIXError) -> [UInt8] {
    var bytes: [UInt8] = []
    var capacity = min(size, limit + 1)
    while true {
      var failure: POSIXError?
      let known = bytes
      bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        _ = buffer.update(fromContentsOf: known)
        count = known.count
        while count < capacity {
          let result = BluebonnetLibc.read(
            descriptor, buffer.baseAddress.map { $0 + count }, capacity - count)
          if result > 0 {
            count += result
            // A regular file gives all that it has.
            if count < capacity { break }
          } else if result == 0 {
            break
          } else if errno != EINTR {
            failure = .current
            break
          }
        }
      }
      if let failure { throw failure }
      if bytes.count < capacity || capacity > limit { return bytes }
      capacity = min(capacity * 8, limit + 1)
    }
  }

  // MARK: Writing

  /// Writes all of it where the file's position is.
  package func write(_ bytes: [UInt8]) throws(POSIXError) { try Self.write(bytes, to: descriptor) }

  /// Writes all of it where a descriptor's position is.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(POSIXError) {
    if let failure = bytes.withUnsafeBytes({ write($0, to: descriptor).failure }) { throw failure }
  }

  /// Writes all of it where a descriptor's position is.
  ///
  /// - Returns: The number of bytes written, and why not all of them.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) -> (count: Int, failure: POSIXError?) {
    var count = 0
    while count < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
      let result = BluebonnetLibc.write(descriptor, rest.baseAddress, rest.count)
      if result >= 0 {
        count += result
      } else if errno != EINTR {
        return (count, .current)
      }
    }
    return (count, nil)
  }
}
