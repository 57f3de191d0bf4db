// SPDX-License-Identifier: MIT
import BluebonnetLocks

/// Notes what happened, from any thread.
final class Recorder<Entry: Sendable>: Sendable {
  private let state = Locked<[Entry]>([])

  var entries: [Entry] { state.withLock { $0 } }

  func note(_ entry: Entry) {
    state.withLock { $0.append(entry) }
  }
}
