import Foundation
import Synchronization

/// Threads that take what processor time they get, as long as the value lives.
final class BusyThreads: Sendable {
  private final class Stop: Sendable {
    let isAsked = Atomic(false)
  }

  private let stop = Stop()

  init(_ count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [stop] in
        while !stop.isAsked.load(ordering: .relaxed) {}
      }
    }
  }

  deinit { stop.isAsked.store(true, ordering: .relaxed) }
}
