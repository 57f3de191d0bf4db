import Synchronization

/// Notes what happened, from any thread.
final class Recorder<Entry: Sendable>: Sendable {
  private let state = Mutex<[Entry]>([])

  var entries: [Entry] { state.withLock { $0 } }

  func note(_ entry: Entry) {
    state.withLock { $0.append(entry) }
  }
}
