import Foundation
import Glibc

/// A named pipe that goes away with the test.
package final class NamedPipe: Sendable {
  package let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "bluebonnet-pipe-\(UUID().uuidString)")

  package init() throws {
    guard mkfifo(url.path, 0o600) == 0 else { throw RawSocket.Failure(call: "mkfifo") }
  }

  deinit { unlink(url.path) }

  /// Waits for a reader, though not for ever, writes, and closes the pipe.
  package func write(_ text: String) throws {
    var descriptor: Int32 = -1
    _ = Eventually.block {
      // Without a reader, it would block until there is one.
      descriptor = open(url.path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      return descriptor >= 0 || errno != ENXIO
    }
    guard descriptor >= 0 else { throw RawSocket.Failure(call: "open") }
    _ = fcntl(descriptor, F_SETFL, 0)
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }

  /// The descriptors of this process that are open on the pipe.
  package var descriptors: [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == url.path
    }.compactMap { Int32($0) }
  }
}
