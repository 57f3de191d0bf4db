// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Runs what a thread waits for that must not wait for the threads of tasks: all of these may be waiting, too.
final class WaitingExecutor: TaskExecutor {
  static let shared = WaitingExecutor()
  private let queue = DispatchQueue(label: "bluebonnet.store.waiting", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Waits for an asynchronous call. Not to be called in loop context, nor by a caller that should not wait.
  static func wait<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
    let answer = Handover<Swift.Result<Result, any Error>>()
    Task(executorPreference: shared) {
      do {
        answer.give(.success(try await body()))
      } catch {
        answer.give(.failure(error))
      }
    }
    guard let value = answer.wait() else { throw ResponseStoreError.busy }
    return try value.get()
  }
}
