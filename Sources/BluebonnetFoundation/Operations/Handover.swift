// SPDX-License-Identifier: MIT
import BluebonnetLocks
import Dispatch

/// A value that one thread waits for and another one gives, once.
package final class Handover<Value: Sendable>: Sendable {
  private let isThere = DispatchSemaphore(value: 0)
  private let value = Locked<Value?>(nil)

  package init() {}

  package func give(_ value: Value) {
    self.value.withLock { $0 = value }
    isThere.signal()
  }

  /// - Returns: The value; nil if it has not come by then.
  package func wait(until end: DispatchTime = .distantFuture) -> Value? {
    isThere.wait(timeout: end) == .success ? value.withLock { $0 } : nil
  }
}
