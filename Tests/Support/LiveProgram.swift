// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// Another program that runs while the test does: it is told lines and tells lines.
public final class LiveProgram: Sendable {
  private let process: pid_t
  private let descriptor: Int32
  private let text = Mutex<[UInt8]>([])

  private init(process: pid_t, descriptor: Int32) {
    self.process = process
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
  }

  /// Starts a program in a network.
  public static func start(
    _ program: Program, _ arguments: String..., in network: NetworkNamespace
  ) async throws -> LiveProgram {
    let live = try await network.run {
      var ends: [Int32] = [0, 0]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
        throw Program.NotStarted(path: "a pair of sockets", errno: errno)
      }
      defer { close(ends[1]) }
      do {
        return LiveProgram(
          process: try program.start(arguments, input: ends[1], output: ends[1]), descriptor: ends[0])
      } catch {
        close(ends[0])
        throw error
      }
    }
    // It ends with the program, or with the descriptor.
    let descriptor = live.descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return live
  }

  /// Tells it a line.
  public func tell(_ line: String) {
    let line = line + "\n"
    _ = send(descriptor, line, line.utf8.count, CInt(MSG_NOSIGNAL))
  }

  /// The lines that it has told so far.
  public var lines: [String] {
    text.withLock { text in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)), count > 0 {
        text += buffer[..<count]
      }
      return text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
