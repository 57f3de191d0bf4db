// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// Looks for a descriptor to connect with. Descriptors are the process's: an idle connection of this loop is given up for one,
/// then one of another loop.
///
/// Touched only while the loop is held.
final class DescriptorSearch {
  enum Outcome {
    /// One has been given up.
    case found
    /// There may be one by now: something else has closed.
    case perhaps
    case none
  }

  private let pool: ConnectionPool
  private let closedBefore: Int
  private let isUrgent: Bool
  private var completion: ((Outcome) -> Void)?

  /// - Parameters:
  ///   - closed: How many connections of the pool had been closed when there was no descriptor.
  ///   - isUrgent: There is none at all; otherwise a few are left, reserved for other uses.
  ///   - completion: Called once, in loop context, perhaps from within `start`; not after `cancel`.
  init(
    in pool: ConnectionPool, closedBefore closed: Int, isUrgent: Bool,
    completion: @escaping (Outcome) -> Void
  ) {
    self.pool = pool
    closedBefore = closed
    self.isUrgent = isUrgent
    self.completion = completion
  }

  /// Asks the pools on other loops; those on this one have nothing idle.
  func start() {
    let isAsked = pool.giveUpIdleOnOtherLoops { self.answered($0) }
    if isAsked { lookSoon() } else { answered(false) }
  }

  func cancel() { completion = nil }

  /// A loop that is busy, or not running, may answer at any time or never: it is not waited for where something else may come.
  private func lookSoon() {
    let soon = pool.loop.now.adding(.nanoseconds(pool.configuration.descriptorDelay))
    _ = pool.loop.schedule(at: soon) { [weak self] in
      guard let self, completion != nil else { return }
      if isUrgent, pool.occupied <= 1, !hasOneClosed { lookSoon() } else { answered(false) }
    }
  }

  private var hasOneClosed: Bool { pool.closedConnectionCount != closedBefore }

  private func answered(_ isFound: Bool) {
    guard let completion = completion.take() else { return }
    // Others may have ended meanwhile.
    completion(isFound || pool.giveUpForDescriptor() ? .found : hasOneClosed ? .perhaps : .none)
  }
}
