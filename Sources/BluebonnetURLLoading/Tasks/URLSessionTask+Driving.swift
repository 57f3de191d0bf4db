import BluebonnetFoundation

// What the engine reads and writes.
extension URLSessionTask {
  /// Who hears of the end instead of the delegate; the engine calls it on the session's lane.
  package var completion: Completion? {
    get { members.withLock { $0.completion } }
    set { members.withLock { $0.completion = newValue } }
  }

  /// What the engine keeps for the task.
  package var driver: AnyObject? {
    get { members.withLock { UncheckedBox($0.driver) }.value }
    set {
      let box = UncheckedBox(newValue)
      members.withLock { $0.driver = box.value }
    }
  }

  /// A redirect or an authenticated retry sends another request.
  package func setCurrentRequest(_ request: URLRequest) {
    members.withLock { $0.currentRequest = request }
  }

  /// The head of the response has arrived.
  package func setResponse(_ response: URLResponse) {
    members.withLock { members in
      members.response = response
      members.counts.expectedToReceive = response.expectedContentLength
    }
  }

  /// The byte counts as they are now.
  package var byteCounts: ByteCounts { members.withLock { $0.counts } }

  /// Changes the byte counts.
  package func count(_ change: (inout ByteCounts) -> Void) {
    members.withLock { change(&$0.counts) }
  }

  /// Moves to `.completed`; false if the task had already completed.
  package func complete(with error: (any Error)?) -> Bool {
    members.withLock { members in
      guard members.state != .completed else { return false }
      members.state = .completed
      members.error = error
      members.driver = nil
      return true
    }
  }
}

// Unchecked: only the engine, which locks or is confined to the loop, takes the reference apart.
/// Carries a reference out of a mutex.
private struct UncheckedBox: @unchecked Sendable {
  let value: AnyObject?

  init(_ value: AnyObject?) { self.value = value }
}
