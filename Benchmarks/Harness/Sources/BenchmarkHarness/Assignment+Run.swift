// SPDX-License-Identifier: MIT
import Glibc

extension Assignment {
  /// Runs `one` until `requests` calls have returned, `concurrency` at a time, and prints the report.
  /// `one` returns the number of body bytes it saw.
  ///
  /// The main thread waits here rather than in an asynchronous `main`: that would end it in `dispatch_main`, where
  /// its `sigsuspend` makes valgrind 3.19 give up.
  public func run(
    on executor: (any TaskExecutor)? = nil, _ one: @escaping @Sendable () async throws -> Int
  ) {
    // A preference for no executor in particular is looked at with each step, too.
    if let executor {
      Task.detached(executorPreference: executor) { await measure(one) }
    } else {
      Task.detached { await measure(one) }
    }
    while true { pause() }
  }

  /// Runs `one` until `requests` calls have returned, one after the other on this thread, and prints the report.
  public func runWaiting(_ one: () throws -> Int) -> Never {
    do {
      let start = Usage.now()
      var bytes = 0
      for _ in 0..<requests { bytes += try one() }
      print(Usage.now().since(start).report(requests: requests, bytes: bytes))
      exit(0)
    } catch {
      end(status: 1, saying: "\(error)")
    }
  }

  private func measure(_ one: @escaping @Sendable () async throws -> Int) async {
    do {
      let start = Usage.now()
      let bytes = try await spread(one)
      print(Usage.now().since(start).report(requests: requests, bytes: bytes))
      exit(0)
    } catch {
      end(status: 1, saying: "\(error)")
    }
  }

  private func spread(_ one: @escaping @Sendable () async throws -> Int) async throws -> Int {
    guard concurrency > 1 else { return try await share(requests, one) }
    return try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<concurrency {
        let mine = requests / concurrency + (worker < requests % concurrency ? 1 : 0)
        group.addTask { try await share(mine, one) }
      }
      return try await group.reduce(0, +)
    }
  }

  private func share(_ count: Int, _ one: @Sendable () async throws -> Int) async throws -> Int {
    var bytes = 0
    for _ in 0..<count { bytes += try await one() }
    return bytes
  }
}
