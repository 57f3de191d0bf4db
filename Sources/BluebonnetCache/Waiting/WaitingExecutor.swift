import BluebonnetFoundation
import BluebonnetLocks

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
    let answer = Outcome<Result>()
    let semaphore = DispatchSemaphore(value: 0)
    Task(executorPreference: shared) {
      do {
        let result = try await body()
        answer.value.withLock { $0 = .success(result) }
      } catch {
        answer.value.withLock { $0 = .failure(error) }
      }
      semaphore.signal()
    }
    semaphore.wait()
    guard let value = answer.value.withLock({ $0 }) else { throw ResponseStoreError.busy }
    return try value.get()
  }

  private final class Outcome<Success: Sendable>: Sendable {
    let value = Locked<Result<Success, any Error>?>(nil)
  }
}
