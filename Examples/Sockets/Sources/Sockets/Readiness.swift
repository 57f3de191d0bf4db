// SPDX-License-Identifier: MIT
import Foundation

/// Waits for sockets without a thread for each.
enum Readiness {
  enum Direction { case read, write }

  /// Serial: what its handlers share needs no lock.
  private static let queue = DispatchQueue(label: "sockets")

  /// Returns when the call that would have blocked is worth another try.
  ///
  /// - Throws: ``SocketError`` after `limit`, or `CancellationError`.
  static func wait(
    for descriptor: Int32, to direction: Direction, within limit: DispatchTimeInterval = .never
  ) async throws {
    nonisolated(unsafe) let source: any DispatchSourceProtocol =
      switch direction {
      case .read: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      case .write: DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
      }
    nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + limit)
    nonisolated(unsafe) var isLate = false
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        source.setEventHandler { source.cancel() }
        source.setCancelHandler {
          // By now the source has let go of the descriptor.
          timer.cancel()
          continuation.resume()
        }
        timer.setEventHandler {
          isLate = true
          source.cancel()
        }
        timer.activate()
        source.activate()
      }
    } onCancel: {
      source.cancel()
    }
    try Task.checkCancellation()
    if isLate { throw SocketError("wait", ETIMEDOUT) }
  }
}

/// A system call that failed.
public struct SocketError: Error, CustomStringConvertible {
  /// The call and the system's reason.
  public let description: String

  init(_ call: String, _ number: Int32 = errno) {
    description = "\(call): \(String(cString: strerror(number)))"
  }
}
