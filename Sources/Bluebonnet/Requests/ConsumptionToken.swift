// SPDX-License-Identifier: MIT
import BluebonnetLocks

/// Says once that a part of a stream has been consumed: when its handler returns or, with a reader that takes it later,
/// when it is taken or thrown away unread.
final class ConsumptionToken: Sendable {
  private struct State {
    var awaitsReader = false
    var action: (@Sendable () -> Void)?
  }

  private let state: Locked<State>

  init(_ action: @escaping @Sendable () -> Void) {
    state = Locked(State(action: action))
  }

  deinit { give() }

  /// The handler only passes the part on.
  func awaitReader() {
    state.withLock { $0.awaitsReader = true }
  }

  /// The handler has returned.
  func handlerReturned() {
    if !state.withLock({ $0.awaitsReader }) { give() }
  }

  func give() {
    let action = state.withLock { $0.action.take() }
    action?()
  }
}
