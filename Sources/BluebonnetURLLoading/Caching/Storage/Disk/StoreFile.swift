import BluebonnetFoundation
import Glibc

/// An open file or directory: closed with its last reference.
final class StoreFile: Sendable {
  let descriptor: Int32

  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = Glibc.close(descriptor) }

  /// Reads so many bytes from a place; fewer at the file's end only.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ResponseStoreError) -> Int {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let result = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(count))
      if result == 0 { break }
      if result > 0 {
        count += result
      } else if errno != EINTR {
        throw .current("pread")
      }
    }
    return count
  }

  /// Reads what there is from the beginning.
  ///
  /// - Parameter limit: More is none of ours.
  func contents(expecting size: Int, limit: Int) throws(ResponseStoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    var capacity = size
    while true {
      var failure: ResponseStoreError?
      let known = bytes
      bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        _ = buffer.update(fromContentsOf: known)
        count = known.count
        while count < capacity {
          let result = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, capacity - count)
          if result > 0 {
            count += result
            // A regular file gives all that it has.
            if count < capacity { break }
          } else if result == 0 {
            break
          } else if errno != EINTR {
            failure = .current("read")
            break
          }
        }
      }
      if let failure { throw failure }
      if bytes.count < capacity { return bytes }
      guard capacity < limit else { throw .damaged("a file is too long") }
      capacity = min(capacity * 8, limit + 1)
    }
  }

  /// Writes all of it where the file's position is.
  func write(_ bytes: [UInt8]) throws(ResponseStoreError) {
    var position = 0
    while position < bytes.count {
      let result = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + position }, bytes.count - position)
      }
      if result >= 0 {
        position += result
      } else if errno != EINTR {
        throw .current("write")
      }
    }
  }
}

extension ResponseStoreError {
  /// The error of this thread's last system call.
  static func current(_ call: String) -> ResponseStoreError { .failed(call: call, errno: errno) }
}
