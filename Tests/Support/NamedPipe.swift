// SPDX-License-Identifier: MIT
import Glibc

/// A named pipe that goes away with the test.
public final class NamedPipe: Sendable {
  /// Where it is.
  public let path = "/tmp/bluebonnet-pipe-\(getpid())-\(UInt64.random(in: .min ... .max))"

  /// Makes one that nothing else knows.
  public init() throws {
    guard mkfifo(path, 0o600) == 0 else { throw RawSocket.Failure(call: "mkfifo") }
  }

  deinit { unlink(path) }

  /// Waits for a reader, though not for ever, writes, and closes the pipe.
  public func write(_ text: String) throws {
    var descriptor: Int32 = -1
    _ = Eventually.block {
      // Without a reader, it would block until there is one.
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      return descriptor >= 0 || errno != ENXIO
    }
    guard descriptor >= 0 else { throw RawSocket.Failure(call: "open") }
    _ = fcntl(descriptor, F_SETFL, 0)
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }

  /// The descriptors of this process that are open on the pipe.
  public var descriptors: [Int32] {
    guard let directory = opendir("/proc/self/fd") else { return [] }
    defer { closedir(directory) }
    var found: [Int32] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      var target = [CChar](repeating: 0, count: 256)
      let length = readlink("/proc/self/fd/" + name, &target, target.count)
      guard length > 0, path.utf8.elementsEqual(target[..<length].map { UInt8(bitPattern: $0) }) else {
        continue
      }
      if let descriptor = Int32(name) { found.append(descriptor) }
    }
    return found
  }
}
