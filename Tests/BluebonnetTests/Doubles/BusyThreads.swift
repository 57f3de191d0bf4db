// SPDX-License-Identifier: MIT
import Foundation
import Synchronization

/// Threads that are always ready to run, as long as the value lives: they make others lose the processor at any moment.
final class BusyThreads: Sendable {
  private final class Stop: Sendable {
    let isAsked = Atomic(false)
  }

  private let stop = Stop()

  init(_ count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [stop] in
        while !stop.isAsked.load(ordering: .relaxed) { sched_yield() }
      }
    }
  }

  deinit { stop.isAsked.store(true, ordering: .relaxed) }
}
